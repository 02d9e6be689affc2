import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { findingsSummary } from './findings-summary';

const SAMPLE = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
) as Finding;
const many = (count: number, more: Partial<Finding>): Finding[] =>
  Array.from({ length: count }, () => ({ ...SAMPLE, ...more }));

test('few findings need no summary', () => expect(findingsSummary(many(19, {}))).toBe(''));

test('many are counted by severity, the worst first, and by rule, the most frequent first', () => {
  const text = findingsSummary([
    ...many(3, { rule: 'b', severity: 'info' }),
    ...many(20, { rule: 'a', severity: 'warning' }),
    ...many(1, { rule: 'c', severity: 'critical' }),
    ...many(1, { rule: 'd', severity: 'fatal' as never }),
  ]);
  expect(text.split('\n')).toEqual([
    '25 findings: 1 critical, 20 warning, 3 info, 1 fatal',
    '    20  a',
    '     3  b',
    '     1  c',
    '     1  d',
    '',
    '',
  ]);
});

test('rules beyond the eighth are one line', () => {
  const rules = Array.from({ length: 20 }, (_, n) => many(1, { rule: `rule-${n}` })[0]!);
  expect(findingsSummary(rules).split('\n').at(-3)).toBe('    12  of 12 more rules');
});

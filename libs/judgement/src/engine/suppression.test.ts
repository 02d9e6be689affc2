import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { suppressionOf } from './suppression';

const SAMPLE = join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json');
const finding = Finding.parse(JSON.parse(readFileSync(SAMPLE, 'utf8')));
const NOW = Date.parse('2026-03-02T12:00:00Z');
const keeping = (more: Partial<Keeping>): Keeping => ({
  kind: 'suppress',
  selector: { rule: finding.rule },
  reason: 'known',
  by: 'anna',
  at: '2026-03-01T00:00:00Z',
  until: null,
  ...more,
});

test.each<[string, Partial<Keeping>, boolean]>([
  ['of its rule', {}, true],
  ['whose end is ahead', { until: '2026-03-02T12:00:01Z' }, true],
  ['that is over', { until: '2026-03-02T12:00:00Z' }, false],
  ['whose end cannot be read', { until: 'tomorrow' }, false],
  ['that only protects', { kind: 'protect' }, false],
  ['of a place it does not name', { selector: { vpc: 'tenant-a' } }, false],
  ['of nothing', { selector: {} }, false],
  ['with a member of a later version', { selector: { rule: finding.rule, node: 'a' } }, false],
])('one %s', (_what, more, suppresses) => {
  expect(suppressionOf(finding, [keeping(more)], NOW) !== undefined).toBe(suppresses);
});

test('of several the longest counts, whatever their order', () => {
  const short = keeping({ until: '2026-03-03T00:00:00Z' });
  const long = keeping({ by: 'bob' });
  expect(
    [
      [short, long],
      [long, short],
    ].map((it) => suppressionOf(finding, it, NOW)?.by),
  ).toEqual(['bob', 'bob']);
});

import { RULES } from '@ovn-steward/judgement/rules/registry';
import { findingsTable } from './findings-table';

test('counts the rules of each class, and says two sentences of an example', () => {
  const rows = findingsTable(RULES).split('\n').slice(2, 9);
  const counted = rows.map((row) => Number(row.split(' | ')[1]));
  expect(counted.reduce((sum, it) => sum + it, 0)).toBe(RULES.length);
  for (const row of rows) expect(row.match(/[.!?](?= |$)/g)!.length).toBeLessThanOrEqual(2);
  expect(findingsTable(RULES)).toContain(
    '`leaked-ip` (warning): An address record whose pod, machine or node no longer exists; the address cannot be given to anybody else until the record is deleted. If somebody who exists uses the same address, the finding names both and has no remedy until that user has another address. |',
  );
});

test('an example that is no rule is an error', () =>
  expect(() => findingsTable([])).toThrow('missing-logical-switch-port is no rule of class'));

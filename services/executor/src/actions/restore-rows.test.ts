import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { outOfBounds } from '../undo/within-bounds';
import restoreRows from './restore-rows';

const target: Reference = {
  source: 'ovn-nb',
  kind: 'Logical_Switch',
  name: 'tenant',
  uid: '00000000-0000-4000-8000-000000000001',
};

test('is no part of a plan: rows that refer to each other come back together', async () => {
  const { signal } = new AbortController();
  expect(
    await restoreRows.prepare(
      target,
      { action: 'a', rule: 'neighbour-damaged', finding: 'f' },
      undefined as never,
      signal,
    ),
  ).toMatchObject({ is: 'refused', code: 'waits' });
});

test('no record of it leads to a removal', () => {
  const row = { table: target.kind, uuid: target.uid, name: target.name, columns: {} };
  expect(
    outOfBounds({ action: restoreRows.id, target, undo: { of: 'rows', rows: [row], links: [] } }),
  ).toContain('are not removed again');
});

import { FindingsTable } from './findings-table';
import { FINDING, findingRecord, tombstone } from './testing/records';

let table: FindingsTable;
beforeEach(() => (table = new FindingsTable()));
const revision = (number: number, more: object = {}) =>
  table.take(0, findingRecord({ revision: number, ...more }));
const known = (): string[] => table.findings().map((it) => `${it.revision} ${it.state}`);

test('the highest revision counts, whatever is sent again behind it', () => {
  expect(revision(1, { state: 'suspected' })).toMatchObject({ finding: { revision: 1 } });
  revision(3, { state: 'resolved' });
  expect(revision(2)).toBeUndefined();
  expect(revision(3, { state: 'confirmed' })).toBeUndefined();
  expect(known()).toEqual(['3 resolved']);
  expect(table.open()).toEqual([]);
});

test('where compaction left only an older revision, it counts until the newest is sent again', () => {
  const sent = [
    [3, 'confirmed'],
    [2, 'suspected'], // from an analyzer that had lost the partition
    [3, 'confirmed'], // from the one that has it
  ] as const;
  for (const [number, state] of sent.slice(1, 2)) revision(number, { state });
  expect(known()).toEqual(['2 suspected']);
  for (const [number, state] of sent.slice(1)) revision(number, { state });
  expect(known()).toEqual(['3 confirmed']);
});

test('after a tombstone everything is news', () => {
  revision(3);
  expect(table.take(0, tombstone(FINDING.id))).toEqual({ forgotten: FINDING.id });
  expect(table.take(0, tombstone(FINDING.id))).toBeUndefined();
  expect(known()).toEqual([]);
  revision(1);
  expect(known()).toEqual(['1 confirmed']);
});

test('what cannot be read is passed over, and words of a later version are kept', () => {
  table.take(0, { key: FINDING.id, value: '{' });
  table.take(0, { ...findingRecord(), key: 'another' });
  expect(known()).toEqual([]);
  revision(1, { state: 'muted', class: 'novelty', addedLater: { deep: [1] } });
  expect(table.open()).toMatchObject([{ state: 'muted', class: 'novelty', addedLater: {} }]);
});

test('who accepts less reads in its own way', () => {
  const strict = new FindingsTable((partition, { key }: { key: string }) => ({
    poison: `${key} of ${partition}`,
  }));
  expect(strict.take(3, { key: 'x' })).toBeUndefined();
  expect(strict.findings()).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Finding } from './finding';
import { encodeFinding, encodeForgotten } from './finding-codec';
import { FindingsTable } from './findings-table';

const FINDING = JSON.parse(
  readFileSync(
    join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'),
    'utf8',
  ),
) as Finding;
const PARTITION = partitionOf(FINDING.cluster, PARTITIONS);
const ORIGIN = { analyzer: 'a', changes: `${PARTITION}/0-1` };

let table: FindingsTable;
beforeEach(() => (table = new FindingsTable()));
const take = ({ key, value }: { key: string; value: string | null }): void =>
  table.take(PARTITION, { key, value: value === null ? null : Buffer.from(value) });
const revision = (number: number, more: Partial<Finding> = {}): void =>
  take(encodeFinding({ ...FINDING, ...more, revision: number }, ORIGIN));
const standing = (): string[] => table.findings().map((it) => `${it.revision} ${it.state}`);

test('the highest revision stands, whatever is sent again behind it', () => {
  revision(1, { state: 'suspected' });
  revision(3, { state: 'resolved' });
  revision(2);
  revision(3, { state: 'confirmed' });
  expect(standing()).toEqual(['3 resolved']);
});

test('after a tombstone everything is news', () => {
  revision(3);
  take(encodeForgotten(FINDING.id, ORIGIN));
  expect(standing()).toEqual([]);
  revision(1);
  expect(standing()).toEqual(['1 confirmed']);
});

test('what cannot be read is passed over, and words of a later version are kept', () => {
  take({ key: FINDING.id, value: '{' });
  take({ key: 'another', value: JSON.stringify({ data: FINDING }) });
  expect(standing()).toEqual([]);
  revision(1, { state: 'muted' as never });
  expect(standing()).toEqual(['1 muted']);
});

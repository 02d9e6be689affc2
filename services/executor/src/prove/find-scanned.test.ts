import { defineRelation } from '@ovn-steward/judgement/world/relation';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { createBulkCache } from './bulk-cache';
import { scanned } from './find-scanned';
import { LiveRows } from './live-rows';
import { rowReferences } from './row-references';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;
const scan = { table: 'Logical_Router', columns: ['name'] } as const;
const byName = defineRelation({ id: 'by-name', kinds: 'ovn-nb', keys: ({ name }) => [name] });
const byLength = defineRelation({
  id: 'by-length',
  kinds: 'ovn-nb',
  keys: ({ name }) => [`${name.length}`],
});

test('two relations over the same columns of a table find each by its own keys', async () => {
  const northbound = await recordedNorthbound('clean');
  const schema = await northbound.schema(never);
  const rows = new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema));
  const cache = createBulkCache();
  const found = async (key: string, relation: typeof byName) =>
    (await scanned(key, relation, rows, cache, scan)).map((it) => it.entity.name);
  expect(await found('ovn-cluster', byName)).toEqual(['ovn-cluster']);
  expect(await found('11', byLength)).toEqual(['ovn-cluster']);
  expect(await found('11', byName)).toEqual([]);
});

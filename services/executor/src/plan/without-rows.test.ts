import { operation } from '@ovn-steward/ovsdb';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { withoutRows } from './without-rows';

const never = new AbortController().signal;

test('reads as if the rows were gone: neither they nor references to them', async () => {
  const northbound = await recordedNorthbound('leaky');
  const [[gone]] = northbound.database.rows('Logical_Router_Policy') as unknown as [[string]];
  const rows = new Set<string>();
  const ahead = withoutRows(northbound, rows);
  const read = async () => {
    const answer = await ahead.read(
      [
        operation.select('Logical_Router_Policy', [], ['_uuid']),
        operation.select('Logical_Router', [], ['_uuid', 'policies']),
      ],
      never,
    );
    return JSON.stringify(answer);
  };
  expect(await read()).toContain(gone);
  rows.add(gone);
  expect(await read()).not.toContain(gone);
  await expect(ahead.write([], never)).rejects.toThrow('only read');
  await expect(ahead.takeOver(never)).rejects.toThrow('only read');
});

test('a set that loses all but one is the one, and one that loses all is empty', async () => {
  const northbound = await recordedNorthbound('leaky');
  const [[router, row]] = [...northbound.database.rows('Logical_Router')].filter(
    ([, it]) => JSON.stringify(it['policies']).split('"uuid"').length > 3,
  ) as unknown as [[string, Record<string, [string, [string, string][]]>]];
  const uuids = row['policies']![1].map(([, uuid]) => uuid);
  const policies = async (gone: readonly string[]): Promise<unknown> => {
    const answer = await withoutRows(northbound, new Set(gone)).read(
      [operation.select('Logical_Router', operation.byUuid(router), ['_uuid', 'policies'])],
      never,
    );
    const [result] = answer.is === 'committed' ? answer.results : [];
    return result?.kind === 'selected' ? result.rows[0]!['policies'] : undefined;
  };
  expect(await policies(uuids.slice(1))).toEqual(['uuid', uuids[0]]);
  expect(await policies(uuids)).toEqual(['set', []]);
});

test('a row that is gone is none, and the one reference to it is none', async () => {
  const northbound = await recordedNorthbound('leaky');
  const gone = crypto.randomUUID();
  const holder = crypto.randomUUID();
  northbound.database.transact([
    operation.insert('Logical_Router_Policy', { priority: 1, match: '1', action: 'allow' }, gone),
    operation.insert('Logical_Router', { name: 'one', policies: operation.uuid(gone) }, holder),
  ]);
  const answer = await withoutRows(northbound, new Set([gone])).read(
    [
      operation.select('Logical_Router_Policy', operation.byUuid(gone), ['_uuid']),
      operation.select('Logical_Router', operation.byUuid(holder), ['_uuid', 'policies']),
    ],
    never,
  );
  const results = answer.is === 'committed' ? answer.results : [];
  expect(results.map((it) => it.kind === 'selected' && it.rows)).toEqual([
    [],
    [{ _uuid: ['uuid', holder], policies: ['set', []] }],
  ]);
});

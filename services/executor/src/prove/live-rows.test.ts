import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { parseSchema } from '@ovn-steward/ovsdb';
import { recordedRows } from '../testing/recorded-engine';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { LiveRows } from './live-rows';
import { rowReferences } from './row-references';
import { type Select, selectBatch, type SelectedRow } from './select-batch';

const never = new AbortController().signal;

test.each(['leaky', 'clean', 'shared-neutron'] as const)(
  'each row of %s, asked for by itself, is what the collector publishes of it',
  async (name) => {
    const northbound = await recordedNorthbound(name);
    const schema = await northbound.schema(never);
    const rows = new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema));
    const reported = await recordedRows(name);
    const live = await Promise.all(
      reported.map(async ({ kind, uid }) => (await rows.row(kind, uid))!.entity),
    );
    expect(live.map(({ kind, uid, name, object }) => ({ kind, uid, name, object }))).toEqual(
      reported,
    );
    expect(live.map((it) => it.hash)).toEqual(reported.map((it) => contentHash(it.object)));
    expect(reported.length).toBeGreaterThan(100);
  },
);

describe('what may be asked for and is not there', () => {
  const rowsOf = async () => {
    const northbound = await recordedNorthbound('leaky');
    const schema = await northbound.schema(never);
    return new LiveRows(selectBatch(northbound, never), schema, rowReferences(schema));
  };
  const NOBODY = '00000000-0000-4000-8000-000000000000';

  test('a row, a table, a uuid: there is none, and nobody fails', async () => {
    const rows = await rowsOf();
    expect(await rows.row('Port_Group', NOBODY)).toBeUndefined();
    expect(await rows.row('No_Such_Table', NOBODY)).toBeUndefined();
    expect(await rows.stored('No_Such_Table', [])).toEqual([]);
    expect(await rows.byUuid(NOBODY)).toEqual([]);
    expect(await rows.byUuid('no uuid at all')).toEqual([]);
  });

  test('what a row holds is read where the row came without it', async () => {
    const rows = await rowsOf();
    const ports = rows.schema.tables.get('Logical_Switch')!.columns.get('ports')!;
    const [wanted] = (await rows.stored('Logical_Switch', [])).filter((row) =>
      [...row.columns()].some(([column]) => column.name === 'ports'),
    );
    const live = (await rows.row('Logical_Switch', wanted!.uuid))!;
    expect(live.has('ports')).toBe(false);
    const held = await rows.heldBy(live, ports);
    expect([...held].sort()).toEqual([...(await rows.heldBy(wanted!, ports))].sort());
    expect(await rows.heldBy({ ...live, uuid: NOBODY }, ports)).toEqual([]);
  });
});

test('who refers to a row by a value of a map is found, and nobody else', async () => {
  const wanted = '00000000-0000-4000-8000-00000000000a';
  const other = '00000000-0000-4000-8000-00000000000b';
  const reference = { type: 'uuid', refTable: 'Held', refType: 'strong' };
  const columns = { by: { type: { key: 'string', value: reference, min: 0, max: 'unlimited' } } };
  const schema = parseSchema({
    name: 'OVN_Northbound',
    version: '99.0.0',
    tables: { Holder: { columns }, Held: { columns: { name: { type: 'string' } } } },
  });
  const holder = (uuid: string, held: string): SelectedRow => ({
    _uuid: ['uuid', uuid],
    by: ['map', [['key', ['uuid', held]]]],
  });
  const select: Select = async (_, where) => {
    expect(where).toEqual([]);
    return [holder('first', wanted!), holder('second', other!)];
  };
  const references = rowReferences(schema);
  const [from] = references.holdersOf('Held');
  expect(await new LiveRows(select, schema, references).referring(from!, wanted!)).toEqual([
    'first',
  ]);
});

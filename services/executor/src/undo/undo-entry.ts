import { type Json, operation, type Operation } from '@ovn-steward/ovsdb';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { EffectComment } from '../action-kit/action';
import { type RowJson, selectRows } from '@ovn-steward/systems/northbound/select-rows';
import { entryIn } from '../action-kit/entry-in';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { commentOperation } from '../action-kit/comment-operation';
import { rowNameOf } from '@ovn-steward/systems/northbound/stored-columns';
import type { Systems } from '@ovn-steward/systems/systems';
import { impossible, type UndoPlan } from './undo-plan';
import { findVipTakers, placesOf } from './vips-taken';

type UndoOfEntry = Undo & { readonly of: 'entry' };

/**
 * Puts one entry of a map or set back, unless its key was given to something else. Reads first; the
 * write is bound to what was seen.
 * @throws Failure when it cannot be read.
 */
export async function undoEntry(
  undo: UndoOfEntry,
  comment: EffectComment,
  { northbound }: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  const { table, uuid, column, key, value } = undo;
  const schema = await northbound.schema(signal);
  const of = schema.tables.get(table)?.columns.get(column);
  const title = `${table} ${undo.name || uuid}`;
  const hasName = schema.tables.get(table)?.columns.has('name') === true;
  const lacking = lackingColumn(undo, schema);
  if (!of || lacking !== undefined)
    return {
      is: 'impossible',
      reason: `schema ${schema.version} of the database has no column ${lacking ?? column} of ${table} as there was`,
      passes: true,
    };
  const to = of.kind === 'set' ? of.key.refTable : undefined;
  const read = [...(hasName ? ['name'] : []), column, ...(isVip(undo) ? ['protocol'] : [])];
  const [rows, referred] = await selectRows(
    northbound,
    [
      operation.select(table, operation.byUuid(uuid), read),
      ...(to === undefined ? [] : [operation.select(to, operation.byUuid(key), ['_uuid'])]),
    ],
    signal,
  );

  const row = rows?.[0];
  if (!row) return impossible(`${title} is not there any more`);
  const settled = settledBy(row, undo, title);
  if (settled) return settled;
  if (referred?.length === 0) return impossible(`${to} ${key} is not there any more`);

  const vips = await takersOf(undo, row['protocol'], northbound, signal);
  if ('taken' in vips) return impossible(vips.taken);
  const entry = of.kind === 'map' ? operation.map([[key, value ?? '']]) : operation.uuid(key);
  return {
    is: 'ready',
    effect: {
      on: 'ovn-nb',
      operations: [
        // A condition cannot match a key alone: a map is bound as a whole.
        ...(of.kind === 'map'
          ? [operation.wait(table, operation.byUuid(uuid), read, [{ ...row }])]
          : setGuards(undo, hasName, to ?? '')),
        ...vips.guards,
        operation.mutate(table, operation.byUuid(uuid), [[column, 'insert', entry]]),
        commentOperation(`undo: ${title} ${column} ${key}`, comment),
      ],
    },
    losses: [`what went by ${key} of ${title} was handled without it in between`],
  };
}

/** What the row says where nothing is to be written: another row, or one with the key. */
function settledBy(
  row: RowJson,
  { name, column, key, value }: UndoOfEntry,
  title: string,
): UndoPlan | undefined {
  if (rowNameOf(row) !== name) return impossible(`${title} is called ${rowNameOf(row)} now`);
  const now = entryIn(row[column], key);
  if (now === undefined) return undefined;
  return now === value
    ? { is: 'back', reason: `${key} is in ${column} of ${title}` }
    : impossible(`${key} in ${column} of ${title} is ${JSON.stringify(now)} now`);
}

/** Operations that refuse the write unless the row still lacks the entry, and what it refers to is there. */
const setGuards = (
  { table, uuid, column, key, name }: UndoOfEntry,
  hasName: boolean,
  to: string,
): readonly Operation[] => [
  operation.wait(
    table,
    [...operation.byUuid(uuid), [column, 'excludes', operation.uuid(key)]],
    ['_uuid', ...(hasName ? ['name'] : [])],
    [{ _uuid: operation.uuid(uuid), ...(hasName && { name }) }],
  ),
  operation.wait(to, operation.byUuid(key), ['_uuid'], [{ _uuid: operation.uuid(key) }]),
];

/**
 * The column without which the entry cannot be put back; undefined where the schema has what there
 * was.
 */
function lackingColumn(
  { table, column, name, value }: UndoOfEntry,
  schema: Awaited<ReturnType<Northbound['schema']>>,
): string | undefined {
  const columns = schema.tables.get(table)?.columns;
  if (columns?.get(column)?.kind !== (value === null ? 'set' : 'map')) return column;
  return name !== '' && !columns.has('name') ? 'name' : undefined;
}

/** @param protocol of the balancer the entry is of. */
async function takersOf(
  undo: UndoOfEntry,
  protocol: Json | undefined,
  northbound: Northbound,
  signal: AbortSignal,
): ReturnType<typeof findVipTakers> {
  if (!isVip(undo)) return { guards: [] };
  const schema = await northbound.schema(signal);
  return findVipTakers(
    northbound,
    schema,
    { balancer: undo.uuid, vips: [undo.key], protocol },
    await placesOf(northbound, schema, undo.uuid, signal),
    signal,
  );
}

const isVip = ({ table, column }: Pick<UndoOfEntry, 'table' | 'column'>): boolean =>
  table === 'Load_Balancer' && column === 'vips';

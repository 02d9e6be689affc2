import { type Json, operation, type Operation } from '@ovn-steward/ovsdb';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { EffectComment } from '../action-kit/action';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import { entryIn } from '../action-kit/entry-in';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { commentOperation } from '../action-kit/comment-operation';
import { rowNameOf } from '@ovn-steward/systems/northbound/stored-columns';
import type { Systems } from '@ovn-steward/systems/systems';
import { impossible, type UndoPlan } from './undo-plan';
import { findVipTakers, placesOf } from './vips-taken';

/**
 * Puts one entry of a map or set back, unless its key was given to something else. Reads first; the
 * write is bound to what was seen.
 * @throws Failure when it cannot be read.
 */
export async function undoEntry(
  undo: Undo & { readonly of: 'entry' },
  comment: EffectComment,
  { northbound }: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  const { table, uuid, column, key, value } = undo;
  const schema = await northbound.schema(signal);
  const of = schema.tables.get(table)?.columns.get(column);
  const said = `${table} ${undo.name || uuid}`;
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
  if (!row) return impossible(`${said} is not there any more`);
  if (rowNameOf(row) !== undo.name) return impossible(`${said} is called ${rowNameOf(row)} now`);
  const now = entryIn(row[column], key);
  if (now !== undefined)
    return now === value
      ? { is: 'back', says: `${key} is in ${column} of ${said}` }
      : impossible(`${key} in ${column} of ${said} is ${JSON.stringify(now)} now`);
  if (referred?.length === 0) return impossible(`${to} ${key} is not there any more`);

  const vips = await takersOf(undo, row['protocol'], northbound, signal);
  if ('taken' in vips) return impossible(vips.taken);
  const exists = operation.uuid(uuid);
  // A condition cannot match a key alone: a map is bound as a whole.
  const guards: Operation[] =
    of.kind === 'map'
      ? [operation.wait(table, operation.byUuid(uuid), read, [{ ...row }])]
      : [
          operation.wait(
            table,
            [...operation.byUuid(uuid), [column, 'excludes', operation.uuid(key)]],
            ['_uuid', ...(hasName ? ['name'] : [])],
            [{ _uuid: exists, ...(hasName && { name: undo.name }) }],
          ),
          operation.wait(
            to ?? '',
            operation.byUuid(key),
            ['_uuid'],
            [{ _uuid: operation.uuid(key) }],
          ),
        ];
  const entry = of.kind === 'map' ? operation.map([[key, value ?? '']]) : operation.uuid(key);
  return {
    is: 'ready',
    effect: {
      on: 'ovn-nb',
      operations: [
        ...guards,
        ...vips.guards,
        operation.mutate(table, operation.byUuid(uuid), [[column, 'insert', entry]]),
        commentOperation(`undo: ${said} ${column} ${key}`, comment),
      ],
    },
    losses: [`what went by ${key} of ${said} was handled without it in between`],
  };
}

/**
 * The column without which the entry cannot be put back; undefined where the schema has what there
 * was.
 */
function lackingColumn(
  { table, column, name, value }: Undo & { readonly of: 'entry' },
  schema: Awaited<ReturnType<Northbound['schema']>>,
): string | undefined {
  const columns = schema.tables.get(table)?.columns;
  if (columns?.get(column)?.kind !== (value === null ? 'set' : 'map')) return column;
  return name !== '' && !columns.has('name') ? 'name' : undefined;
}

/** @param protocol of the balancer the entry is of. */
async function takersOf(
  undo: Undo & { readonly of: 'entry' },
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

const isVip = ({
  table,
  column,
}: Pick<Undo & { readonly of: 'entry' }, 'table' | 'column'>): boolean =>
  table === 'Load_Balancer' && column === 'vips';

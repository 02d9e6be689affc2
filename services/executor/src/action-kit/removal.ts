import { ascendingBy } from '@ovn-steward/shared/compare';
import { createHash } from 'node:crypto';
import {
  isUuid,
  operation,
  OvsdbError,
  type DatabaseSchema,
  type Json,
  type Operation,
} from '@ovn-steward/ovsdb';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import type { StoredLink, StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { type Refusal, refusal } from './action';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import {
  type RowFamily,
  identityColumns,
  type IdentifiedRow,
  identifiedRow,
  type FamilyMember,
  readFamily,
} from './family';
import { namedBy, namingGuards } from './named-by';
import { trimmer } from './nb-row';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { rowProtection } from './protection';
import { uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import {
  contentOf,
  guardedColumns,
  pick,
  storedColumns,
  withoutDefaults,
} from '@ovn-steward/systems/northbound/stored-columns';

/** How one row, with what only it holds, is removed, and what would bring it back. */
export interface Removal {
  readonly is: 'removal';
  readonly name: string;
  /** Refuse the transaction unless all is as it was read. */
  readonly guards: readonly Operation[];
  readonly write: Operation;
  readonly undo: Undo & { readonly of: 'rows' };
  /**
   * Of all that is guarded: equal exactly while the same rows say the same and the same rows refer
   * to them.
   */
  readonly version: string;
}

/**
 * Reads what it takes to remove a row and to put it back, and writes nothing. Follows the schema
 * the server has now, so that tables and columns of later versions that may refer to the row are
 * guarded like those we know (ovn-northbound.md §8.5a).
 *
 * @returns why it is not to be removed, otherwise.
 * @throws Failure when it cannot be read.
 */
export async function readRemoval(
  northbound: Northbound,
  table: string,
  uuid: string,
  signal: AbortSignal,
): Promise<Removal | Refusal> {
  try {
    const schema = await northbound.schema(signal);
    if (!schema.tables.has(table) || !isUuid(uuid))
      return refusal(
        'unsupported',
        `${where(northbound, schema)} has no row ${uuid} of ${table}: there is no such table, or that is no uuid`,
      );
    const family = await readFamily(northbound, schema, table, uuid, signal);
    if ('is' in family) return family;
    const trim = trimmer(schema);
    const ports = await listedPorts(northbound, family, signal);
    const kept = rowProtection(family, trim, ports);
    if (kept) return kept;
    const names = await namedBy(northbound, family, trim, signal);
    if (typeof names === 'string')
      return refusal(
        'in-use',
        `${table} ${family.members[0].name || uuid} is still in use: ${names}`,
      );
    return removalOf(family, names, ports);
  } catch (error) {
    throw error instanceof OvsdbError ? ovsdbFailure(error) : error;
  }
}

const where = (northbound: Northbound, schema: DatabaseSchema): string =>
  `${northbound.where} (schema ${schema.version})`;

/** The ports a group lists. They come by uuid, at the cost of the group alone. */
async function listedPorts(
  northbound: Northbound,
  { schema, members: [target] }: RowFamily,
  signal: AbortSignal,
): Promise<readonly IdentifiedRow[]> {
  if (target.table !== 'Port_Group') return [];
  const columns = identityColumns(schema, 'Logical_Switch_Port');
  const found = await selectRows(
    northbound,
    uuidsInJson(target.columns['ports']).map((it) =>
      operation.select('Logical_Switch_Port', operation.byUuid(it), columns),
    ),
    signal,
  );
  return found.flat().map((it) => identifiedRow('Logical_Switch_Port', it));
}

function removalOf(
  family: RowFamily,
  peers: readonly IdentifiedRow[],
  ports: readonly IdentifiedRow[],
): Removal | Refusal {
  const { schema, members } = family;
  const [target] = members;
  const write = writeOf(schema, target);
  if ('is' in write) return write;
  if (members.some((it) => hasBigInteger(Object.values(it.columns))))
    return refusal(
      'unsupported',
      `${target.table} ${target.name || target.uuid} holds an integer beyond 2^53, which no record keeps`,
    );
  const links = linksOf(family);
  return {
    is: 'removal',
    name: target.name,
    guards: guardsOf(family, peers, ports),
    write,
    undo: { of: 'rows', rows: members.map((it) => storedRow(schema, it)), links },
    version: versionOf(family, links),
  };
}

const guardsOf = (
  family: RowFamily,
  peers: readonly IdentifiedRow[],
  ports: readonly IdentifiedRow[],
): readonly Operation[] => [
  ...family.members.map((it) => rowGuard(family.schema, it)),
  ...[...family.members, ...family.staying].flatMap((it) => referrerGuards(family.schema, it)),
  ...namingGuards(family, peers),
  ...ports.map((it) => kinGuard(family.schema, it)),
];

const storedRow = (
  schema: DatabaseSchema,
  { table, uuid, name, columns }: FamilyMember,
): StoredRow => ({
  table,
  uuid,
  name,
  columns: withoutDefaults(columns, storedColumns(schema.tables.get(table)!)),
});

function versionOf({ schema, members }: RowFamily, links: readonly StoredLink[]): string {
  const rows = members.map((member) => ({
    table: member.table,
    uuid: member.uuid,
    columns: contentOf(
      member.columns,
      guardedColumns(schema.tables.get(member.table)!, member.columns),
    ),
  }));
  return createHash('sha256')
    .update(
      canonicalJson({ rows, links: links.map(({ to, ...link }) => ({ ...link, to: to.uuid })) }),
    )
    .digest('hex');
}

const hasBigInteger = (values: readonly Json[]): boolean =>
  values.some(
    (it) => typeof it === 'bigint' || (Array.isArray(it) && hasBigInteger(it as readonly Json[])),
  );

/**
 * A root row is deleted once nothing holds it; another goes when the one row that holds it lets go.
 */
function writeOf(schema: DatabaseSchema, target: FamilyMember): Operation | Refusal {
  const title = `${target.table} ${target.name || target.uuid}`;
  const holders = target.referrers.flatMap(({ by, rows }) =>
    by.strength === 'strong' ? rows.map((row) => ({ by, row })) : [],
  );
  const [holder, second] = holders;
  if (schema.tables.get(target.table)?.isRoot === true) {
    if (holder)
      return refusal(
        'protected',
        `${title} is still held by ${holder.row.table} ${holder.row.name || holder.row.uuid} (${holder.by.column})`,
      );
    return operation.remove(target.table, operation.byUuid(target.uuid));
  }
  if (!holder)
    return refusal(
      'changed',
      `nothing holds ${title} any more: the database is about to drop it by itself`,
    );
  if (second)
    return refusal(
      'protected',
      `${holders.length} rows hold ${title}: ${holders.map(({ row }) => `${row.table} ${row.name || row.uuid}`).join(', ')}; to take it out of one would remove it from there alone`,
    );
  if (holder.by.shape !== 'set' && holder.by.shape !== 'optional')
    return refusal(
      'unsupported',
      `column ${holder.by.column} of ${holder.by.table} cannot be without ${title}`,
    );
  return operation.mutate(holder.by.table, operation.byUuid(holder.row.uuid), [
    [holder.by.column, 'delete', operation.uuid(target.uuid)],
  ]);
}

const rowGuard = (schema: DatabaseSchema, { table, uuid, columns }: FamilyMember): Operation => {
  const guarded = guardedColumns(schema.tables.get(table)!, columns).map((it) => it.name);
  return operation.wait(table, operation.byUuid(uuid), guarded, [pick(columns, guarded)]);
};

/** What a row that stays must still be for it to be the one that was judged. */
const IDENTITY = ['_uuid', 'name', 'external_ids'];

const identityIn = (schema: DatabaseSchema, table: string): readonly string[] =>
  IDENTITY.filter((it) => it === '_uuid' || schema.tables.get(table)?.columns.has(it) === true);

const kinGuard = (schema: DatabaseSchema, { table, uuid, columns }: IdentifiedRow): Operation => {
  const identity = identityIn(schema, table);
  return operation.wait(table, operation.byUuid(uuid), identity, [pick(columns, identity)]);
};

/** Exactly these rows refer to it, by every column that may: not one more, not one less. */
const referrerGuards = (
  schema: DatabaseSchema,
  { uuid, referrers }: FamilyMember,
): readonly Operation[] =>
  referrers.map(({ by, rows }) => {
    const columns = identityIn(schema, by.table);
    return operation.wait(
      by.table,
      [[by.column, 'includes', operation.uuid(uuid)]],
      columns,
      rows.map((it) => pick(it.columns, columns)),
    );
  });

/** Who, of the rows that stay, refers to one that goes; in a fixed order. */
function linksOf({ members }: RowFamily): StoredLink[] {
  const removed = new Set(members.map((it) => rowKey(it.table, it.uuid)));
  return members
    .flatMap((member) =>
      member.referrers.flatMap(({ by, rows }) =>
        rows
          .filter((it) => !removed.has(rowKey(it.table, it.uuid)))
          .map((row): StoredLink => ({
            table: row.table,
            uuid: row.uuid,
            name: row.name,
            column: by.column,
            to: { table: member.table, uuid: member.uuid },
            strength: by.strength,
          })),
      ),
    )
    .sort(ascendingBy(orderOf));
}

const orderOf = ({ table, uuid, column, to }: StoredLink): string =>
  JSON.stringify([to.table, to.uuid, table, uuid, column]);

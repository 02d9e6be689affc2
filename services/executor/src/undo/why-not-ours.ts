import { type DatabaseSchema, isUuid, type Json, operation } from '@ovn-steward/ovsdb';
import type { StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import {
  identityColumns,
  type IdentifiedRow,
  identifiedRow,
  type FamilyMember,
  type ColumnReferrers,
} from '../action-kit/family';
import { trimmer } from '../action-kit/nb-row';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { rowProtection } from '../action-kit/protection';
import {
  referencesOf,
  referringColumns,
  uuidsInJson,
} from '@ovn-steward/systems/northbound/references';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { rowNameOf } from '@ovn-steward/systems/northbound/stored-columns';

type StoredRows = Undo & { readonly of: 'rows' };

/**
 * Why recorded rows are not to be written: they cannot have been removed together, or are not
 * proven Kube-OVN's. Judged again and as before a removal (`protectionOf`), on what is recorded,
 * and on the rows that hold them and refer to them now. The record itself does not prove that it is
 * ours.
 * @returns undefined when nothing speaks against it.
 * @throws Failure when it cannot be read.
 */
export async function whyNotOurs(
  northbound: Northbound,
  schema: DatabaseSchema,
  undo: StoredRows,
  signal: AbortSignal,
): Promise<string | undefined> {
  const wrong = wrongRow(undo.rows) ?? strayRow(schema, undo.rows) ?? wrongLink(schema, undo);
  if (wrong !== undefined) return wrong;
  const [kin, ports] = await readReferring(northbound, schema, undo, signal);
  const [target, ...others] = undo.rows.map((it) => memberOf(schema, it, undo, kin)) as [
    FamilyMember,
    ...FamilyMember[],
  ];
  const kept = rowProtection(
    { schema, members: [target, ...others], staying: [] },
    trimmer(schema),
    ports,
  );
  return kept && `it is not proven to be Kube-OVN's: ${kept.reason}`;
}

const titleOf = ({ table, uuid, name }: Pick<StoredRow, 'table' | 'uuid' | 'name'>): string =>
  `${table} ${name || uuid}`;

function wrongRow(rows: readonly StoredRow[]): string | undefined {
  const keys = new Set(rows.map((it) => rowKey(it.table, it.uuid)));
  if (keys.size < rows.length) return 'the record has one row twice';
  const wrong = rows.find(
    ({ uuid, name, columns }) => !isUuid(uuid) || rowNameOf(columns as RowJson) !== name,
  );
  return wrong && `the record of ${titleOf(wrong)} has another name, or no uuid`;
}

/** A row that did not go with the first one: nothing among them held it. */
function strayRow(schema: DatabaseSchema, rows: readonly StoredRow[]): string | undefined {
  const [target, ...others] = rows as [StoredRow, ...StoredRow[]];
  const left = new Map(others.map((it) => [rowKey(it.table, it.uuid), it]));
  for (const row of walk(target, left, schema)) left.delete(rowKey(row.table, row.uuid));
  const [stray] = left.values();
  return (
    stray && `${titleOf(stray)} cannot have gone with ${titleOf(target)}, which does not hold it`
  );
}

function* walk(
  from: StoredRow,
  rows: ReadonlyMap<string, StoredRow>,
  schema: DatabaseSchema,
): Generator<StoredRow> {
  const seen = new Set<StoredRow>();
  const open = [from];
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    for (const { column, to, strength } of referencesOf(schema, row.table)) {
      if (strength === 'weak' || schema.tables.get(to)?.isRoot !== false) continue;
      for (const uuid of uuidsInJson(row.columns[column] as Json | undefined)) {
        const held = rows.get(rowKey(to, uuid));
        if (held === undefined || seen.has(held)) continue;
        seen.add(held);
        open.push(held);
        yield held;
      }
    }
  }
}

/**
 * A reference no row can have had to these: only the first row may be held by one that stays, and
 * by one alone.
 */
function wrongLink(schema: DatabaseSchema, { rows, links }: StoredRows): string | undefined {
  const [target, ...others] = rows as [StoredRow, ...StoredRow[]];
  for (const { table, uuid, column, to, strength } of links) {
    const reference = `a reference by ${column} of ${table} ${uuid} to ${to.table} ${to.uuid}`;
    const fits = referringColumns(schema, to.table).some(
      (it) => it.table === table && it.column === column && it.strength === strength,
    );
    const isOfRow = rows.some((it) => it.table === to.table && it.uuid === to.uuid);
    const holdsOther = strength === 'strong' && others.some((it) => it.uuid === to.uuid);
    if (!fits || !isOfRow || holdsOther || !isUuid(uuid))
      return `the record has ${reference}, which there cannot have been`;
  }
  const holders = links.filter((it) => it.strength === 'strong').length;
  return holders === (schema.tables.get(target.table)?.isRoot === true ? 0 : 1)
    ? undefined
    : `the record of ${titleOf(target)} names ${holders} rows that held it, which cannot be`;
}

/**
 * Rows that refer to the recorded ones by links, as they are now, by table and uuid; and the ports
 * that a group listed and that are there.
 */
async function readReferring(
  northbound: Northbound,
  schema: DatabaseSchema,
  { rows, links }: StoredRows,
  signal: AbortSignal,
): Promise<readonly [ReadonlyMap<string, IdentifiedRow>, readonly IdentifiedRow[]]> {
  const [target] = rows as [StoredRow, ...StoredRow[]];
  const listed =
    target.table === 'Port_Group' ? uuidsInJson(target.columns['ports'] as Json | undefined) : [];
  const wanted = [
    ...links.map((it) => ({ table: it.table, uuid: it.uuid })),
    ...listed.map((uuid) => ({ table: 'Logical_Switch_Port', uuid })),
  ];
  const found = await selectRows(
    northbound,
    wanted.map(({ table, uuid }) =>
      operation.select(table, operation.byUuid(uuid), identityColumns(schema, table)),
    ),
    signal,
  );
  const kin = found.map((it, nth) => it[0] && identifiedRow(wanted[nth]!.table, it[0]));
  const there = kin.filter((it) => it !== undefined);
  return [
    new Map(there.map((it) => [rowKey(it.table, it.uuid), it])),
    kin.slice(links.length).filter((it) => it !== undefined),
  ];
}

/** A recorded row with all who refer to it: rows recorded with it, and those that stayed. */
function memberOf(
  schema: DatabaseSchema,
  row: StoredRow,
  { rows, links }: StoredRows,
  kin: ReadonlyMap<string, IdentifiedRow>,
): FamilyMember {
  const referrers = referringColumns(schema, row.table).map((by): ColumnReferrers => {
    const within = rows
      .filter(
        (recorded) =>
          recorded.table === by.table &&
          uuidsInJson(recorded.columns[by.column] as Json | undefined).includes(row.uuid),
      )
      .map(recordedKin);
    const outside = links
      .filter((it) => it.table === by.table && it.column === by.column && it.to.uuid === row.uuid)
      .flatMap((reference) => {
        const now = kin.get(rowKey(reference.table, reference.uuid));
        // Another by now: it is not made to refer to the row again (`bondsOf`).
        return now?.name === reference.name ? [now] : [];
      });
    return { by, rows: [...within, ...outside] };
  });
  return { ...recordedKin(row), referrers };
}

const recordedKin = ({ table, uuid, name, columns }: StoredRow): IdentifiedRow => ({
  table,
  uuid,
  name,
  columns: columns as RowJson,
});

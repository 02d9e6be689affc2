import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Relation } from '@ovn-steward/judgement/world/relation';
import { type Condition, operation } from '@ovn-steward/ovsdb';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import type { BulkCache } from './bulk-cache';
import type { FetchedRow, LiveRow, LiveRows } from './live-rows';

/** More rows than this are not read for one proof: nothing is then concluded. */
export const MOST_ROWS = 5000;

/** Where to search for rows a relation may find under a key; the relation then verifies them. */
export type Finder = (
  key: string,
  relation: Relation,
  from: { readonly rows: LiveRows; readonly cache: BulkCache },
) => Promise<readonly LiveRow[]>;

const some = <T>(list: readonly (T | undefined)[]): T[] =>
  list.filter((it): it is Awaited<T> & T => it !== undefined);

export const rowsOf = async (
  rows: LiveRows,
  table: string,
  uuids: Iterable<string>,
): Promise<LiveRow[]> =>
  some(await Promise.all([...new Set(uuids)].map((uuid) => rows.row(table, uuid))));

export const where =
  (table: string, condition: (key: string) => Condition): Finder =>
  async (key, _, { rows }) =>
    rowsOf(
      rows,
      table,
      (await rows.stored(table, [condition(key)], ['_uuid'])).map((it) => it.uuid),
    );

export const whereNamed = (table: string): Finder => where(table, (name) => ['name', '==', name]);

/** By an entry of `external_ids`, in each of these tables that the database has. */
export const marked =
  (
    tables: readonly string[],
    keyOf: (key: string, table: string) => readonly [string, string],
  ): Finder =>
  async (key, _, { rows }) =>
    (
      await Promise.all(
        tables
          .filter((it) => rows.schema.tables.has(it))
          .map(async (table) =>
            rowsOf(
              rows,
              table,
              (
                await rows.stored(
                  table,
                  [['external_ids', 'includes', operation.map([keyOf(key, table)])]],
                  ['_uuid'],
                )
              ).map((it) => it.uuid),
            ),
          ),
      )
    ).flat();

/** A row as an entity, as far as a relation needs it without the row's holders. */
export function provisional(
  rows: LiveRows,
  row: FetchedRow,
  more: Readonly<Record<string, unknown>> = {},
): Entity {
  const object = {
    ...rowObject(row, (column) => rows.references.roleOf(row.table, column), [], []),
    ...more,
  };
  return {
    source: 'ovn-nb',
    stream: 'ovn-nb',
    kind: row.table,
    uid: row.uuid,
    name: rowName(row),
    object,
    hash: '',
  };
}

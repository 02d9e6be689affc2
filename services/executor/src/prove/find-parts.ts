import type { Relation } from '@ovn-steward/judgement/world/relation';
import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { type Finder, MOST_ROWS, provisional } from './finder';
import type { LiveRow, LiveRows } from './live-rows';

export const covers = ({ kinds }: Relation, table: string): boolean =>
  kinds === 'ovn-nb' || kinds.includes(table);

/** Of the rows that another holds, those the relation finds; they are then read with holders. */
async function heldRows(
  held: readonly {
    readonly table: string;
    readonly uuid: string;
    readonly as: Readonly<Record<string, unknown>>;
  }[],
  key: string,
  relation: Relation,
  rows: LiveRows,
): Promise<LiveRow[]> {
  return (
    await Promise.all(
      held.map(async ({ table, uuid, as }) => {
        const [row] = await rows.stored(table, operation.byUuid(uuid));
        return row && relation.keys(provisional(rows, row, as)).includes(key)
          ? rows.row(table, uuid)
          : undefined;
      }),
    )
  ).filter((it) => it !== undefined);
}

function few<T>(held: readonly T[], holder: LiveRow): readonly T[] {
  if (held.length <= MOST_ROWS) return held;
  throw new Failure(
    'source-broken',
    `${holder.table} ${holder.entity.name || holder.uuid} holds ${held.length} rows, more than are read for one proof (${MOST_ROWS})`,
  );
}

/**
 * The strong parts of the row, whatever its table, that the relation finds under the key, which
 * begins with the row's uuid.
 */
export const parts: Finder = async (key, relation, { rows }) => {
  const [uuid = ''] = key.split(' ');
  const each = await Promise.all(
    (await rows.byUuid(uuid)).map(async (holder) => {
      const columns = [...rows.schema.tables.get(holder.table)!.columns.values()];
      const held = await Promise.all(
        columns.map(async (column) => {
          const { backward } = rows.references.roleOf(holder.table, column);
          const tables =
            backward?.as === 'parents' ? backward.tables.filter((it) => covers(relation, it)) : [];
          if (tables.length === 0) return [];
          const uuids = await rows.heldBy(holder, column);
          return tables.flatMap((table) =>
            uuids.map((part) => ({
              table,
              uuid: part,
              as: { _parents: [{ kind: holder.table, uid: uuid, column: column.name }] },
            })),
          );
        }),
      );
      return heldRows(few(held.flat(), holder), key, relation, rows);
    }),
  );
  return each.flat();
};

/** The ports that the group of this uuid lists, and the relation finds under it. */
export const members: Finder = async (uuid, relation, { rows }) => {
  const each = await Promise.all(
    (await rows.byUuid(uuid)).map(async (group) => {
      const ports = rows.schema.tables.get(group.table)!.columns.get('ports');
      if (!ports || rows.references.roleOf(group.table, ports).backward?.as !== 'groups') return [];
      const listed = few(await rows.heldBy(group, ports), group).map((port) => ({
        table: 'Logical_Switch_Port',
        uuid: port,
        as: { _port_groups: [uuid] },
      }));
      return heldRows(listed, uuid, relation, rows);
    }),
  );
  return each.flat();
};

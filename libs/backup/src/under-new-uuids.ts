import {
  type ColumnSchema,
  encode,
  type Json,
  Replica,
  type Row,
  type Value,
} from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { commonColumns, type Pair } from './difference';
import { referenceOf } from './references';
import type { RemadeRows } from './remade';

/**
 * The backup as if the rows that were recreated had had their new uuids all along, in themselves
 * and wherever they are referred to: what is compared and restored then merges onto them. What
 * their owner wrote into them again is newer than the backup and stands; they get what they lack.
 */
export function underNewUuids({ backup, live }: Pair, remade: RemadeRows): Replica {
  const uuidNow = (table: string, uuid: string): string =>
    remade.get(rowKey(table, uuid))?.is ?? uuid;
  const contentOf = (row: Row): Readonly<Record<string, Json>> => {
    const now = remade.get(rowKey(row.table, row.uuid));
    const liveRow = now && live.get(now.table, now.is);
    const common = liveRow && commonColumns(row.table, backup.schema, live.schema);
    return Object.fromEntries(
      [...row.columns()].map(([column, value]) => {
        const then = renamed(column, value, uuidNow);
        const merged =
          liveRow && common?.has(column.name) === true
            ? completed(column, then, liveRow.get(column.name))
            : then;
        return [column.name, encode(column, merged) as Json];
      }),
    );
  };
  const merged = new Replica(backup.schema);
  merged.replaceAll(
    Object.fromEntries(
      [...backup.schema.tables.keys()].map((table) => [
        table,
        Object.fromEntries(
          [...backup.rows(table)].map((row) => [
            uuidNow(table, row.uuid),
            { initial: contentOf(row) },
          ]),
        ),
      ]),
    ),
  );
  return merged;
}

function renamed(
  column: ColumnSchema,
  value: Value,
  uuidNow: (table: string, uuid: string) => string,
): Value {
  const reference = referenceOf(column);
  if (!reference) return value;
  if (value instanceof Set)
    return new Set([...value].map((it) => uuidNow(reference.to, String(it))));
  return typeof value === 'string' ? uuidNow(reference.to, value) : value;
}

/**
 * References of both; keys of both, each with what it holds now; else what stands, unless nothing
 * does.
 */
function completed(column: ColumnSchema, then: Value, now: Value): Value {
  if (then instanceof Map && now instanceof Map) return new Map([...then, ...now] as never);
  if (then instanceof Set && now instanceof Set)
    return referenceOf(column) ? new Set([...then, ...now]) : now.size > 0 ? now : then;
  return now ?? then;
}

import { isDeepStrictEqual } from 'node:util';
import type { Reference } from '@ovn-steward/contracts/identity/reference';

export type Row = Readonly<Record<string, unknown>>;
/** All rows of a database, by table and uuid. */
export type Rows = ReadonlyMap<string, ReadonlyMap<string, Row>>;

export function differences(
  before: Rows,
  after: Rows,
): readonly [gone: [string, string][], come: [string, string][], changed: [string, string][]] {
  const gone: [string, string][] = [];
  const come: [string, string][] = [];
  const changed: [string, string][] = [];
  for (const [table, rows] of before) {
    const now = after.get(table)!;
    for (const [uuid, row] of rows) {
      if (!now.has(uuid)) gone.push([table, uuid]);
      else if (now.get(uuid) !== row && !isDeepStrictEqual(now.get(uuid), row))
        changed.push([table, uuid]);
    }
    for (const uuid of now.keys()) if (!rows.has(uuid)) come.push([table, uuid]);
  }
  return [gone, come, changed];
}

/** Whether the entry was not there, and is. */
export function grew(before: Rows, after: Rows, { kind, uid, part }: Reference): boolean {
  const holds = (rows: Rows): boolean =>
    JSON.stringify(rows.get(kind)?.get(uid)?.[part!.column] ?? null).includes(
      JSON.stringify(part!.key),
    );
  return !holds(before) && holds(after);
}

export function referrersOf(rows: Rows, table: string, uuid: string): [string, string, string][] {
  const text = `["uuid","${uuid}"]`;
  const found: [string, string, string][] = [];
  for (const [by, held] of rows)
    for (const [holder, row] of held)
      for (const [column, value] of Object.entries(row))
        if (
          typeof value === 'object' &&
          JSON.stringify(value).includes(text) &&
          !(by === table && holder === uuid)
        )
          found.push([by, holder, column]);
  return found;
}

/**
 * The JSON of a map without that key, or of a set without the reference to that row; of a set of
 * one, too, which is written without the word.
 */
export function withoutEntry(json: unknown, key: string): unknown {
  if (!Array.isArray(json)) return json;
  if (json[0] === 'map')
    return ['map', (json[1] as [string, string][]).filter(([it]) => it !== key)];
  const members = (json[0] === 'set' ? json[1] : [json]) as unknown[];
  return ['set', members.filter((it) => !(Array.isArray(it) && it[1] === key))];
}

/** Sets and maps have no order. */
export function sameJson(one: unknown, other: unknown): boolean {
  const sorted = (json: unknown): unknown =>
    Array.isArray(json) && (json[0] === 'set' || json[0] === 'map')
      ? [json[0], (json[1] as unknown[]).map((it) => JSON.stringify(it)).sort()]
      : Array.isArray(json) && json[0] === 'uuid'
        ? ['set', [JSON.stringify(json)]]
        : json;
  return isDeepStrictEqual(sorted(one), sorted(other));
}

import type { Row } from '@ovn-steward/ovsdb';
import { contentColumns } from '@ovn-steward/systems/northbound/content-columns';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import type { Difference, Pair, RowDifference } from './difference';
import { type ReferredBy, referrersIn } from './references';
import { valueText } from './value-text';

/** A row of the backup that its owner recreated since, under another uuid. */
export interface Remade {
  readonly table: string;
  readonly name: string;
  readonly owner: string;
  /** In the backup. */
  readonly was: string;
  /** In the living database. */
  readonly is: string;
}

/** By `rowKey` of the row in the backup. */
export type RemadeRows = ReadonlyMap<string, Remade>;

/**
 * Which missing rows the same owner has recreated: matched by the table's index or the name that
 * the owner gave; rows with neither, by their content for OVN within a holder that is the same or
 * was itself recreated. Where two rows match, or nothing shows the owner of a row, none counts.
 */
export function remadeIn(pair: Pair, { rows }: Difference): RemadeRows {
  const search = {
    pair,
    then: referrersIn(pair.backup),
    now: referrersIn(pair.live),
    remade: new Map<string, Remade>(),
  };
  const known = rows.filter(({ owner }) => owner !== 'unknown');
  const missing = known.filter((it) => it.is === 'missing');
  const fresh = known.filter((it) => it.is === 'new');
  // Parts are known by their holders, which are found in the rounds before.
  for (let before = -1; before < search.remade.size;) {
    before = search.remade.size;
    matchOnce(search, missing, fresh);
  }
  return search.remade;
}

interface RemadeSearch {
  readonly pair: Pair;
  readonly then: ReadonlyMap<string, readonly ReferredBy[]>;
  readonly now: ReadonlyMap<string, readonly ReferredBy[]>;
  readonly remade: Map<string, Remade>;
}

function matchOnce(
  search: RemadeSearch,
  missing: readonly RowDifference[],
  fresh: readonly RowDifference[],
): void {
  const { backup, live } = search.pair;
  const before = byMark(missing, (it) => markOf(search, backup.get(it.table, it.uuid), 'then'));
  const after = byMark(fresh, (it) => markOf(search, live.get(it.table, it.uuid), 'now'));
  for (const [mark, [one, ...more]] of before) {
    const [other, ...others] = after.get(mark) ?? [];
    if (!one || !other || more.length + others.length > 0) continue;
    const { table, name, owner, uuid: was } = one;
    search.remade.set(rowKey(table, was), { table, name, owner, was, is: other.uuid });
  }
}

function byMark(
  rows: readonly RowDifference[],
  markOfRow: (it: RowDifference) => string | undefined,
): ReadonlyMap<string, readonly RowDifference[]> {
  const marks = new Map<string, RowDifference[]>();
  for (const row of rows) {
    const mark = markOfRow(row);
    if (mark === undefined) continue;
    const key = JSON.stringify([row.table, row.owner, mark]);
    marks.set(key, [...(marks.get(key) ?? []), row]);
  }
  return marks;
}

/**
 * What identifies a row in its table and, where its rows are parts of others, in its holder;
 * undefined where nothing does.
 */
function markOf(
  search: RemadeSearch,
  row: Row | undefined,
  time: 'then' | 'now',
): string | undefined {
  const table = row && search.pair.live.schema.tables.get(row.table);
  if (!row || !table) return undefined;
  const [index] = table.indexes;
  const names = index ?? contentColumns(row.table, row.has('type') ? row.get('type') : undefined);
  if (names.length === 0 || !names.every((it) => row.has(it))) return undefined;
  if (names.length === 1 && row.get(names[0]!) === '') return undefined;
  const holder = index || table.isRoot ? '' : holderOf(search, row, time);
  return holder === undefined
    ? undefined
    : [holder, ...names.map((it) => valueText(row.get(it)))].join();
}

/** The one row that holds a part, as the living database has it. */
function holderOf(search: RemadeSearch, row: Row, time: 'then' | 'now'): string | undefined {
  const holders = (search[time].get(rowKey(row.table, row.uuid)) ?? []).filter(
    (it) => it.column.strength === 'strong',
  );
  const [holder] = holders;
  if (!holder || holders.length > 1) return undefined;
  const { table, uuid } = holder;
  const { live } = search.pair;
  if (live.schema.tables.has(table) && live.get(table, uuid)) return rowKey(table, uuid);
  const remade = search.remade.get(rowKey(table, uuid));
  return remade && rowKey(table, remade.is);
}

import { compareValues } from '@ovn-steward/shared/compare';

/** A row that refers to another, and by which column. */
export interface Referrer {
  readonly kind: string;
  readonly uid: string;
  readonly column: string;
}

const same = (one: Referrer, other: Referrer): boolean =>
  one.uid === other.uid && one.column === other.column && one.kind === other.kind;

const order = (one: Referrer, other: Referrer): number =>
  compareValues(one.kind, other.kind) ||
  compareValues(one.uid, other.uid) ||
  compareValues(one.column, other.column);

/**
 * The referrers of a row: (table, uid) → referrers. Nearly every row has one; then it costs one map
 * entry and shares the referrer with its siblings.
 */
export class Referrers {
  readonly #of = new Map<string, Map<string, Referrer | Referrer[]>>();

  /**
   * @param mayBeKnown false saves looking whether it is, when everything is read for the first
   *   time.
   */
  add(table: string, uid: string, referrer: Referrer, mayBeKnown = true): void {
    let rows = this.#of.get(table);
    if (!rows) this.#of.set(table, (rows = new Map()));
    const held = rows.get(uid);
    if (!held) rows.set(uid, referrer);
    else if (mayBeKnown && [held].flat().some((it) => same(it, referrer))) return;
    else if (Array.isArray(held)) held.push(referrer);
    else rows.set(uid, [held, referrer]);
  }

  remove(table: string, uid: string, referrer: Referrer): void {
    const rows = this.#of.get(table);
    const held = rows?.get(uid);
    if (!rows || !held) return;
    const [first, ...more] = [held].flat().filter((it) => !same(it, referrer));
    if (!first) rows.delete(uid);
    else rows.set(uid, more.length ? [first, ...more] : first);
  }

  /** In a fixed order. */
  of(table: string, uid: string): readonly Referrer[] {
    const held = this.#of.get(table)?.get(uid);
    if (!held) return [];
    return Array.isArray(held) ? held.toSorted(order) : [held];
  }
}

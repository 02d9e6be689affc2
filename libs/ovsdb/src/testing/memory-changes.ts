import { type Atom, equal, type Value } from '@ovn-steward/ovsdb';
import { type Link, type MemoryRow, type MemoryTable, targetsOf } from './memory-table';

/** A reference that was written while there was no such row: the commit decides about it. */
export interface Dangling {
  readonly link: Link;
  readonly row: MemoryRow;
  readonly target: string;
}

/** What one transaction changes, in place, and how to take it back. */
export class MemoryChanges {
  readonly touched = new Set<MemoryRow>();
  readonly deleted = new Set<MemoryRow>();
  readonly inserted = new Set<MemoryRow>();
  readonly dangling: Dangling[] = [];
  /** Rows that a strong reference may have been the last of, and new ones. */
  readonly loose = new Set<MemoryRow>();
  readonly #undo: (() => void)[] = [];

  rollback(): void {
    for (let last = this.#undo.pop(); last !== undefined; last = this.#undo.pop()) last();
  }

  /** Something was done that a rollback has to take back. */
  did(undo: () => void): void {
    this.#undo.push(undo);
  }

  insert(table: MemoryTable, uuid: string, slots: Value[]): MemoryRow {
    const row: MemoryRow = { uuid, table, slots, json: [], keys: [], version: 0 };
    table.rows.set(uuid, row);
    this.did(() => table.rows.delete(uuid));
    this.touched.add(row);
    this.inserted.add(row);
    this.loose.add(row);
    for (let position = 0; position < slots.length; position++)
      this.#relink(row, position, undefined, slots[position]);
    return row;
  }

  delete(row: MemoryRow): void {
    const { table } = row;
    table.rows.delete(row.uuid);
    this.did(() => table.rows.set(row.uuid, row));
    this.deleted.add(row);
    this.touched.add(row);
    for (const [position, links] of table.links.entries())
      if (links.length > 0) this.#relink(row, position, row.slots[position], undefined);
  }

  set(row: MemoryRow, position: number, value: Value): void {
    const old = row.slots[position];
    if (equal(old, value)) return;
    this.#put(row, position, value);
    this.#relink(row, position, old, value);
  }

  /** Adds elements to a set, in place: a switch of 10,000 ports that gains one is not copied. */
  add(row: MemoryRow, position: number, elements: Iterable<Atom>): void {
    const set = this.#ownSet(row, position);
    for (const element of elements) {
      if (set.has(element)) continue;
      set.add(element);
      this.#changed(row, position, () => set.delete(element));
      for (const link of row.table.links[position] ?? []) this.#link(link, row, element as string);
    }
  }

  /** Takes elements out of a set, in place. */
  take(row: MemoryRow, position: number, elements: Iterable<Atom>): void {
    const set = this.#ownSet(row, position);
    for (const element of elements) {
      if (!set.delete(element)) continue;
      this.#changed(row, position, () => set.add(element));
      for (const link of row.table.links[position] ?? [])
        this.#unlink(link, row, element as string);
    }
  }

  /** Empty sets are shared by all rows, and frozen. */
  #ownSet(row: MemoryRow, position: number): Set<Atom> {
    const set = row.slots[position] as Set<Atom>;
    if (!Object.isFrozen(set)) return set;
    const own = new Set(set);
    row.slots[position] = own;
    return own;
  }

  #put(row: MemoryRow, position: number, value: Value): void {
    const old = row.slots[position];
    row.slots[position] = value;
    this.#changed(row, position, () => {
      row.slots[position] = old;
    });
  }

  #changed(row: MemoryRow, position: number, undo: () => void): void {
    this.touched.add(row);
    row.json[position] = undefined;
    this.did(() => {
      undo();
      row.json[position] = undefined;
    });
  }

  #relink(row: MemoryRow, position: number, old: Value, value: Value): void {
    for (const link of row.table.links[position] ?? []) {
      for (const target of targetsOf(link, value)) this.#link(link, row, target);
      for (const target of targetsOf(link, old)) this.#unlink(link, row, target);
    }
  }

  #link(link: Link, row: MemoryRow, target: string): void {
    count(link, row, target, 1);
    this.did(() => count(link, row, target, -1));
    if (!link.to.rows.has(target)) this.dangling.push({ link, row, target });
  }

  #unlink(link: Link, row: MemoryRow, target: string): void {
    count(link, row, target, -1);
    this.did(() => count(link, row, target, 1));
    const lost = link.strong && !link.to.isRoot ? link.to.rows.get(target) : undefined;
    if (lost !== undefined) this.loose.add(lost);
  }
}

/** One reference more or less, in the books of the table it leads to. */
export function count(link: Link, row: MemoryRow, target: string, by: 1 | -1): void {
  const { referrers } = link.to;
  let links = referrers.get(target);
  if (links === undefined) referrers.set(target, (links = new Map()));
  let rows = links.get(link);
  if (rows === undefined) links.set(link, (rows = new Map()));
  const times = (rows.get(row) ?? 0) + by;
  if (times > 0) rows.set(row, times);
  else rows.delete(row);
  if (rows.size === 0) links.delete(link);
  if (links.size === 0) referrers.delete(target);
}

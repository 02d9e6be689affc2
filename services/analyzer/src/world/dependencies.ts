/**
 * Who read what. A cell is anything a rule can read of the world (an object's presence, a key of a relation, the
 * completeness of a kind); a unit is one rule on one subject. When a cell changes, exactly the units that read it at
 * their last evaluation are checked again, so no rule has to remember to name what it depends on.
 *
 * Cells are interned to numbers: a million reads must fit in memory.
 */
export class Dependencies {
  readonly #ids = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #readers: (number | Set<number> | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #reads = new Map<number, Int32Array>();

  /** Replaces what the unit depends on. */
  record(unit: number, cells: ReadonlySet<string>): void {
    const before = this.#reads.get(unit);
    const now = new Int32Array(cells.size);
    let i = 0;
    for (const cell of cells) now[i++] = this.#subscribe(unit, cell);
    this.#reads.set(unit, now);
    if (!before) return;
    const kept = before.length > 0 ? new Set(now) : undefined;
    for (const id of before) if (!kept!.has(id)) this.#unsubscribe(unit, id);
  }

  forget(unit: number): void {
    const reads = this.#reads.get(unit);
    if (!reads) return;
    this.#reads.delete(unit);
    for (const id of reads) this.#unsubscribe(unit, id);
  }

  /** Adds the cell's readers to `into`. */
  readersOf(cell: string, into: Set<number>): void {
    const id = this.#ids.get(cell);
    if (id === undefined) return;
    const readers = this.#readers[id];
    if (typeof readers === 'number') into.add(readers);
    else if (readers) for (const unit of readers) into.add(unit);
  }

  #subscribe(unit: number, cell: string): number {
    let id = this.#ids.get(cell);
    if (id === undefined) {
      id = this.#free.pop() ?? this.#names.length;
      this.#ids.set(cell, id);
      this.#names[id] = cell;
      this.#readers[id] = unit;
      return id;
    }
    const readers = this.#readers[id];
    if (readers instanceof Set) readers.add(unit);
    else if (readers !== unit) this.#readers[id] = new Set([readers!, unit]);
    return id;
  }

  #unsubscribe(unit: number, id: number): void {
    const readers = this.#readers[id];
    if (readers instanceof Set) {
      readers.delete(unit);
      if (readers.size > 0) return;
    } else if (readers !== unit) return;
    this.#ids.delete(this.#names[id]!);
    this.#readers[id] = undefined;
    this.#names[id] = '';
    this.#free.push(id);
  }
}

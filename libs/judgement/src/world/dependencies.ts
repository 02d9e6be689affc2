import type { Cell } from './cell';
import { KeyedNumbers } from './keyed-numbers';
import { NumberList } from './number-list';

const NONE = -1;

/** What is kept of a read, side by side: whoever follows one mostly needs all of it. */
const UNIT = 0;
const CELL = 1;
const NEXT_OF_CELL = 2;
const PREVIOUS_OF_CELL = 3;
const NEXT_OF_UNIT = 4;
const FIELDS = 5;

/**
 * Who read what. A unit is one rule on one subject. When a cell changes, exactly the units that
 * read it at their last evaluation are checked again, so no rule has to remember to name what it
 * depends on.
 *
 * Each read is an entry in two lists, its cell's and its unit's. There are millions: they are
 * numbers in one list, an entry named by the place where it begins.
 */
export class Dependencies {
  readonly #reads = new NumberList();
  readonly #firstOfCell = new KeyedNumbers((read) => this.#reads.get(read + CELL));
  readonly #firstOfUnit = new NumberList(NONE);
  /** The end of what of `#reads` is in use or was given back. */
  #end = 0;
  /** Entries given back, linked as a unit's are. */
  #free = NONE;

  /** Replaces what the unit depends on. Takes the set for its own. */
  record(unit: number, cells: Set<Cell>): void {
    let kept = NONE;
    for (let read = this.#firstOfUnit.get(unit); read !== NONE;) {
      const next = this.#reads.get(read + NEXT_OF_UNIT);
      if (cells.delete(this.#reads.get(read + CELL))) {
        this.#reads.set(read + NEXT_OF_UNIT, kept);
        kept = read;
      } else this.#release(read);
      read = next;
    }
    for (const cell of cells) kept = this.#add(unit, cell, kept);
    this.#firstOfUnit.set(unit, kept);
  }

  forget(unit: number): void {
    this.record(unit, new Set());
  }

  /** Adds the cell's readers to `into`. */
  readersOf(cell: Cell, into: Set<number>): void {
    const reads = this.#reads;
    let read = this.#firstOfCell.get(cell);
    for (; read !== NONE; read = reads.get(read + NEXT_OF_CELL)) into.add(reads.get(read + UNIT));
  }

  #add(unit: number, cell: Cell, nextOfUnit: number): number {
    const read = this.#take();
    const next = this.#firstOfCell.get(cell);
    this.#reads.set(read + UNIT, unit);
    this.#reads.set(read + CELL, cell);
    this.#reads.set(read + NEXT_OF_UNIT, nextOfUnit);
    this.#reads.set(read + NEXT_OF_CELL, next);
    this.#reads.set(read + PREVIOUS_OF_CELL, NONE);
    if (next !== NONE) this.#reads.set(next + PREVIOUS_OF_CELL, read);
    this.#firstOfCell.put(read);
    return read;
  }

  #release(read: number): void {
    const next = this.#reads.get(read + NEXT_OF_CELL);
    const previous = this.#reads.get(read + PREVIOUS_OF_CELL);
    const cell = this.#reads.get(read + CELL);
    if (next !== NONE) this.#reads.set(next + PREVIOUS_OF_CELL, previous);
    if (previous !== NONE) this.#reads.set(previous + NEXT_OF_CELL, next);
    else if (next !== NONE) this.#firstOfCell.put(next);
    else this.#firstOfCell.delete(cell);
    this.#reads.set(read + NEXT_OF_UNIT, this.#free);
    this.#free = read;
  }

  #take(): number {
    const freed = this.#free;
    if (freed !== NONE) {
      this.#free = this.#reads.get(freed + NEXT_OF_UNIT);
      return freed;
    }
    const read = this.#end;
    this.#end += FIELDS;
    return read;
  }
}

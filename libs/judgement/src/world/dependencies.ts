import type { Cell } from './cell';
import { KeyedNumbers } from './keyed-numbers';
import { NumberList } from './number-list';

const NONE = -1;

/** What is kept of a read, side by side: whoever follows one mostly needs all of it. */
const CELL = 0;
const NEXT_OF_CELL = 1;
const NEXT_OF_UNIT = 2;
const FIELDS = 3;

/**
 * What stands behind the last read of a unit's list: which unit it is; behind one of no unit, none.
 * Most units have a few reads: to go to the end of the list is little work, and one more number in
 * each read would be a quarter of them all.
 */
const endOf = (unit: number): number => -2 - unit;
const unitAt = (end: number): number => -2 - end;

/** As many reads of a cell are followed to take one out at once; most cells have three or four. */
const NEAR = 32;
/** One in so many reads may be one that nobody needs any more, before all are taken out. */
const ONE_IN = 32;
/** So many are none worth the trouble. */
const FEW = 4096;

/**
 * Who read what. A unit is one rule on one subject. When a cell changes, exactly the units that
 * read it at their last evaluation are checked again, so no rule has to remember to name what it
 * depends on.
 *
 * Each read is an entry in two lists, its cell's and its unit's. There are millions: they are
 * numbers in one list, an entry named by the place where it begins. None knows the one before it in
 * the list of its cell: where that is far away the entry stays, as that of no unit, until there are
 * many such.
 */
export class Dependencies {
  readonly #reads = new NumberList();
  readonly #firstOfCell = new KeyedNumbers((read) => this.#reads.get(read + CELL));
  readonly #firstOfUnit = new NumberList(NONE);
  /** The end of what of `#reads` is in use or was given back. */
  #end = 0;
  /** Entries given back, linked as a unit's are. */
  #free = NONE;
  /** Entries of no unit that are still in the list of their cell, and of which cells. */
  #left = 0;
  readonly #leftIn = new Set<Cell>();

  /** Replaces what the unit depends on. Takes the set for its own. */
  record(unit: number, cells: Set<Cell>): void {
    let kept = endOf(unit);
    for (let read = this.#firstOfUnit.get(unit); read >= 0;) {
      const next = this.#reads.get(read + NEXT_OF_UNIT);
      if (cells.delete(this.#reads.get(read + CELL))) {
        this.#reads.set(read + NEXT_OF_UNIT, kept);
        kept = read;
      } else this.#release(read);
      read = next;
    }
    for (const cell of cells) kept = this.#add(cell, kept);
    this.#firstOfUnit.set(unit, kept);
    if (this.#left > FEW + this.#end / FIELDS / ONE_IN) this.#takeOutLeft();
  }

  forget(unit: number): void {
    this.record(unit, new Set());
  }

  /** Adds the cell's readers to `into`. */
  readersOf(cell: Cell, into: Set<number>): void {
    const reads = this.#reads;
    let read = this.#firstOfCell.get(cell);
    for (; read !== NONE; read = reads.get(read + NEXT_OF_CELL)) {
      const unit = this.#unitOf(read);
      if (unit !== NONE) into.add(unit);
    }
  }

  /** Whose read it is; none where it stayed. */
  #unitOf(read: number): number {
    let at = this.#reads.get(read + NEXT_OF_UNIT);
    while (at >= 0) at = this.#reads.get(at + NEXT_OF_UNIT);
    return unitAt(at);
  }

  #add(cell: Cell, nextOfUnit: number): number {
    const read = this.#take();
    this.#reads.set(read + CELL, cell);
    this.#reads.set(read + NEXT_OF_UNIT, nextOfUnit);
    this.#reads.set(read + NEXT_OF_CELL, this.#firstOfCell.get(cell));
    this.#firstOfCell.put(read);
    return read;
  }

  #release(read: number): void {
    const cell = this.#reads.get(read + CELL);
    const [before, isNear] = this.#before(read, cell);
    if (isNear) {
      this.#unlink(read, cell, before);
      return;
    }
    this.#reads.set(read + NEXT_OF_UNIT, endOf(NONE));
    this.#leftIn.add(cell);
    this.#left += 1;
  }

  /** The entry before it in its cell's list, none for the first; not where that is far away. */
  #before(read: number, cell: Cell): [before: number, isNear: boolean] {
    let before = NONE;
    let at = this.#firstOfCell.get(cell);
    for (let steps = 0; at !== read && steps < NEAR; steps += 1) {
      before = at;
      at = this.#reads.get(at + NEXT_OF_CELL);
    }
    return [before, at === read];
  }

  /** Takes the entry out of its cell's list and gives it back. */
  #unlink(read: number, cell: Cell, before: number): void {
    const next = this.#reads.get(read + NEXT_OF_CELL);
    if (before !== NONE) this.#reads.set(before + NEXT_OF_CELL, next);
    else if (next !== NONE) this.#firstOfCell.put(next);
    else this.#firstOfCell.delete(cell);
    this.#reads.set(read + NEXT_OF_UNIT, this.#free);
    this.#free = read;
  }

  #takeOutLeft(): void {
    for (const cell of this.#leftIn) {
      let before = NONE;
      for (let read = this.#firstOfCell.get(cell); read !== NONE;) {
        const next = this.#reads.get(read + NEXT_OF_CELL);
        if (this.#unitOf(read) === NONE) this.#unlink(read, cell, before);
        else before = read;
        read = next;
      }
    }
    this.#leftIn.clear();
    this.#left = 0;
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

import type { Cell } from './cell';
import { grown, growing } from './growing';
import { NumberMap } from './number-map';

const NONE = -1;

/**
 * Who read what. A unit is one rule on one subject. When a cell changes, exactly the units that
 * read it at their last evaluation are checked again, so no rule has to remember to name what it
 * depends on.
 *
 * Each read is an entry in two lists, its cell's and its unit's. There are millions: they are
 * numbers in a few arrays.
 */
export class Dependencies {
  readonly #firstOfCell = new NumberMap();
  /** By unit. */
  #firstOfUnit = growing().fill(NONE);
  #unit = growing();
  #cell = growing();
  #nextOfCell = growing();
  #previousOfCell = growing();
  #nextOfUnit = growing();
  #used = 0;
  /** Entries given back, linked as a unit's are. */
  #free = NONE;

  /** Replaces what the unit depends on. Takes the set for its own. */
  record(unit: number, cells: Set<Cell>): void {
    let kept = NONE;
    while (unit >= this.#firstOfUnit.length) this.#firstOfUnit = grown(this.#firstOfUnit, NONE);
    for (let read = this.#firstOfUnit[unit]!; read !== NONE;) {
      const next = this.#nextOfUnit[read]!;
      if (cells.delete(this.#cell[read]!)) {
        this.#nextOfUnit[read] = kept;
        kept = read;
      } else this.#release(read);
      read = next;
    }
    for (const cell of cells) kept = this.#add(unit, cell, kept);
    this.#firstOfUnit[unit] = kept;
  }

  forget(unit: number): void {
    this.record(unit, new Set());
  }

  /** Adds the cell's readers to `into`. */
  readersOf(cell: Cell, into: Set<number>): void {
    for (let read = this.#firstOfCell.get(cell); read !== NONE; read = this.#nextOfCell[read]!)
      into.add(this.#unit[read]!);
  }

  #add(unit: number, cell: Cell, nextOfUnit: number): number {
    const read = this.#take();
    const next = this.#firstOfCell.get(cell);
    this.#unit[read] = unit;
    this.#cell[read] = cell;
    this.#nextOfUnit[read] = nextOfUnit;
    this.#nextOfCell[read] = next;
    this.#previousOfCell[read] = NONE;
    if (next !== NONE) this.#previousOfCell[next] = read;
    this.#firstOfCell.set(cell, read);
    return read;
  }

  #release(read: number): void {
    const [next, previous] = [this.#nextOfCell[read]!, this.#previousOfCell[read]!];
    if (next !== NONE) this.#previousOfCell[next] = previous;
    if (previous !== NONE) this.#nextOfCell[previous] = next;
    else if (next !== NONE) this.#firstOfCell.set(this.#cell[read]!, next);
    else this.#firstOfCell.delete(this.#cell[read]!);
    this.#nextOfUnit[read] = this.#free;
    this.#free = read;
  }

  #take(): number {
    const freed = this.#free;
    if (freed !== NONE) {
      this.#free = this.#nextOfUnit[freed]!;
      return freed;
    }
    if (this.#used === this.#unit.length) this.#grow();
    return this.#used++;
  }

  #grow(): void {
    this.#unit = grown(this.#unit);
    this.#cell = grown(this.#cell);
    this.#nextOfCell = grown(this.#nextOfCell);
    this.#previousOfCell = grown(this.#previousOfCell);
    this.#nextOfUnit = grown(this.#nextOfUnit);
  }
}

/** A power of two. */
const START = 64;
/** Nothing is stored under a key that has none. */
const EMPTY = -1;

/** Spreads keys that differ in few bits over all of the table (Knuth's multiplicative hashing). */
const spread = (key: number, mask: number): number =>
  (Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 7) & mask;

/**
 * A map from 32-bit integers to numbers from 0, in a fifth of what Map takes: open addressing with
 * linear probing.
 */
export class NumberMap {
  #keys = new Int32Array(START);
  #values = new Int32Array(START).fill(EMPTY);
  #size = 0;

  /** The number, or -1. */
  get(key: number): number {
    return this.#values[this.#slot(key)]!;
  }

  set(key: number, value: number): void {
    const slot = this.#slot(key);
    if (this.#values[slot] === EMPTY && ++this.#size * 3 > this.#keys.length * 2) {
      this.#grow();
      return this.#put(this.#slot(key), key, value);
    }
    this.#put(slot, key, value);
  }

  /** Closes the gap, so that what was pushed on past it is found again. */
  delete(key: number): void {
    const mask = this.#keys.length - 1;
    let gap = this.#slot(key);
    if (this.#values[gap] === EMPTY) return;
    this.#size--;
    for (let at = (gap + 1) & mask; this.#values[at] !== EMPTY; at = (at + 1) & mask) {
      const home = spread(this.#keys[at]!, mask);
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      this.#put(gap, this.#keys[at]!, this.#values[at]!);
      gap = at;
    }
    this.#values[gap] = EMPTY;
  }

  #slot(key: number): number {
    const mask = this.#keys.length - 1;
    let at = spread(key, mask);
    while (this.#values[at] !== EMPTY && this.#keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #put(slot: number, key: number, value: number): void {
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Int32Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2).fill(EMPTY);
    for (let at = 0; at < keys.length; at++)
      if (values[at] !== EMPTY) this.#put(this.#slot(keys[at]!), keys[at]!, values[at]!);
  }
}

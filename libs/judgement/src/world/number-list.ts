/** A power of two: 16 KiB. */
const BITS = 12;
const MASK = (1 << BITS) - 1;

/**
 * 32-bit integers by place from 0, of which there may be millions: half of what an array takes. It
 * grows by a chunk at a time and moves nothing, so that there never are two of a large one, nor the
 * hole that the smaller one leaves.
 */
export class NumberList {
  readonly #chunks: Int32Array[] = [];

  /** @param rest what stands where nothing was put yet. */
  constructor(readonly rest = 0) {}

  get(at: number): number {
    const chunk = this.#chunks[at >>> BITS];
    return chunk === undefined ? this.rest : chunk[at & MASK]!;
  }

  set(at: number, value: number): void {
    const chunk = this.#chunks[at >>> BITS] ?? this.#grown(at >>> BITS);
    chunk[at & MASK] = value;
  }

  #grown(to: number): Int32Array {
    while (this.#chunks.length <= to) this.#chunks.push(new Int32Array(MASK + 1).fill(this.rest));
    return this.#chunks[to]!;
  }
}

import type { ScoredCase, ScoredCases } from './score';

/** So many cases are kept: the latest. */
const MOST = 1000;

/** Counts cases, and keeps the latest of them. */
export class CaseList {
  #count = 0;
  readonly #cases: ScoredCase[] = [];

  add(one: ScoredCase): void {
    this.#count += 1;
    this.#cases.push(one);
    if (this.#cases.length > MOST) this.#cases.shift();
  }

  all(): ScoredCases {
    return { count: this.#count, cases: [...this.#cases] };
  }
}

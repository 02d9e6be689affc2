import { cell, type Cell } from '../world/cell';
import { KeyedNumbers } from '../world/keyed-numbers';
import { NumberList } from '../world/number-list';

/** One rule on one subject, as a small number: what dependencies and findings are kept for. */
export interface Unit {
  readonly rule: number;
  readonly kind: string;
  readonly uid: string;
}

/** The rules on one kind. A subject has a run of units, one for each of them in this order. */
interface OfKind {
  readonly kind: string;
  /** Its place among all kinds. */
  readonly at: number;
  readonly rules: number[];
  /** Runs of deleted subjects. */
  readonly free: number[];
}

const NONE = -1;

/**
 * Hands out unit numbers, all of a subject's at once, and takes them back. There are some thirty of
 * each subject, which are a run: what they share is kept once, in arrays by the run.
 */
export class Units {
  readonly #kinds: OfKind[] = [];
  /** By rule: its kind's units, and which of a run is its own. */
  readonly #places: readonly { readonly of: OfKind; readonly nth: number }[];
  /** By run: the place of its kind in `#kinds`. */
  readonly #kindOf = new NumberList();
  /** The subject's; of none while the run is free. */
  readonly #uids: (string | undefined)[] = [];
  /** Ascending: a new run begins where the last one ends. */
  readonly #firsts = new NumberList();
  /** Of the subject: a hash of its kind and uid. */
  readonly #cells = new NumberList();
  readonly #byCell = new KeyedNumbers((run) => this.#cells.get(run));
  /** Of the few subjects whose cell is that of another one, by kind and uid. */
  readonly #namesakes = new Map<string, number>();
  #used = 0;

  /**
   * @param subjects the kind each rule judges.
   * @param cellOf a hash of a subject; two may have the same.
   */
  constructor(
    subjects: readonly string[],
    readonly cellOf: (kind: string, uid: string) => Cell = cell.key,
  ) {
    this.#places = subjects.map((kind, rule) => {
      let of = this.#ofKind(kind);
      if (!of) this.#kinds.push((of = { kind, at: this.#kinds.length, rules: [], free: [] }));
      return { of, nth: of.rules.push(rule) - 1 };
    });
  }

  get(id: number): Unit | undefined {
    if (id >= this.#used) return undefined;
    const run = this.#runOf(id);
    const of = this.#kinds[this.#kindOf.get(run)]!;
    const uid = this.#uids[run];
    if (uid === undefined) return undefined;
    return { rule: of.rules[id - this.#firsts.get(run)]!, kind: of.kind, uid };
  }

  find(rule: number, uid: string): number | undefined {
    const { of, nth } = this.#places[rule]!;
    const run = this.#find(of, uid);
    return run === NONE ? undefined : this.#firsts.get(run) + nth;
  }

  ensure(rule: number, uid: string): number {
    const { of, nth } = this.#places[rule]!;
    const known = this.#find(of, uid);
    return this.#firsts.get(known === NONE ? this.#take(of, uid) : known) + nth;
  }

  /** One for each of these rules, which all judge the subject's kind. */
  ensureAll(rules: readonly number[], uid: string): readonly number[] {
    const [one] = rules;
    if (one === undefined) return rules;
    const first = this.ensure(one, uid) - this.#places[one]!.nth;
    return rules.map((rule) => first + this.#places[rule]!.nth);
  }

  /** Releases the units of a deleted subject. */
  release(kind: string, uid: string): void {
    const of = this.#ofKind(kind);
    const run = of ? this.#find(of, uid) : NONE;
    if (!of || run === NONE) return;
    if (!this.#namesakes.delete(`${kind} ${uid}`)) this.#byCell.delete(this.#cells.get(run));
    of.free.push(run);
    this.#uids[run] = undefined;
  }

  /** The uids of all subjects of the kind that have units. */
  *subjects(kind: string): Iterable<string> {
    const of = this.#ofKind(kind);
    for (let run = 0; run < this.#uids.length; run++) {
      const uid = this.#uids[run];
      if (uid !== undefined && this.#kindOf.get(run) === of?.at) yield uid;
    }
  }

  #ofKind(kind: string): OfKind | undefined {
    return this.#kinds.find((it) => it.kind === kind);
  }

  /** The subject's run, or none. */
  #find(of: OfKind, uid: string): number {
    const run = this.#byCell.get(this.cellOf(of.kind, uid));
    if (run !== NONE && this.#uids[run] === uid && this.#kindOf.get(run) === of.at) return run;
    return this.#namesakes.size === 0 ? NONE : (this.#namesakes.get(`${of.kind} ${uid}`) ?? NONE);
  }

  /** A free run, or a new one. */
  #take(of: OfKind, uid: string): number {
    const run = of.free.pop() ?? this.#begin(of);
    this.#uids[run] = uid; // a new one is the last: the list stays without holes
    const key = this.cellOf(of.kind, uid);
    this.#cells.set(run, key);
    if (this.#byCell.get(key) === NONE) this.#byCell.put(run);
    else this.#namesakes.set(`${of.kind} ${uid}`, run);
    return run;
  }

  #begin(of: OfKind): number {
    const run = this.#uids.length;
    this.#kindOf.set(run, of.at);
    this.#firsts.set(run, this.#used);
    this.#used += of.rules.length;
    return run;
  }

  /** Which of the runs the unit is in: a search, since an entry for each unit takes megabytes. */
  #runOf(unit: number): number {
    let low = 0;
    let high = this.#uids.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#firsts.get(middle) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

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
  readonly rules: number[];
  readonly first: Map<string, number>;
  /** Runs of deleted subjects, by their first unit. */
  readonly free: number[];
}

/**
 * Hands out unit numbers, all of a subject's at once, and takes them back. There are some thirty of
 * each subject, which are a run: what they share is kept once, in arrays by the run.
 */
export class Units {
  readonly #ofKind = new Map<string, OfKind>();
  /** By rule: its kind's units, and which of a run is its own. */
  readonly #places: readonly { readonly of: OfKind; readonly nth: number }[];
  readonly #kinds: OfKind[] = [];
  /** The subject's; of none while the run is free. */
  readonly #uids: (string | undefined)[] = [];
  /** Ascending: a new run begins where the last one ends. */
  readonly #firsts = new NumberList();
  #used = 0;

  /** @param subjects the kind each rule judges. */
  constructor(subjects: readonly string[]) {
    this.#places = subjects.map((kind, rule) => {
      let of = this.#ofKind.get(kind);
      if (!of) this.#ofKind.set(kind, (of = { kind, rules: [], first: new Map(), free: [] }));
      return { of, nth: of.rules.push(rule) - 1 };
    });
  }

  get(id: number): Unit | undefined {
    if (id >= this.#used) return undefined;
    const run = this.#runOf(id);
    const [of, uid] = [this.#kinds[run]!, this.#uids[run]];
    if (uid === undefined) return undefined;
    return { rule: of.rules[id - this.#firsts.get(run)]!, kind: of.kind, uid };
  }

  find(rule: number, uid: string): number | undefined {
    const { of, nth } = this.#places[rule]!;
    const first = of.first.get(uid);
    return first === undefined ? undefined : first + nth;
  }

  ensure(rule: number, uid: string): number {
    const { of, nth } = this.#places[rule]!;
    let first = of.first.get(uid);
    if (first === undefined) of.first.set(uid, (first = this.#take(of, uid)));
    return first + nth;
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
    const of = this.#ofKind.get(kind);
    const first = of?.first.get(uid);
    if (!of || first === undefined) return;
    of.first.delete(uid);
    of.free.push(first);
    this.#uids[this.#runOf(first)] = undefined;
  }

  *ofRule(rule: number): Iterable<[uid: string, id: number]> {
    const { of, nth } = this.#places[rule]!;
    for (const [uid, first] of of.first) yield [uid, first + nth];
  }

  /** The first unit of a free run, or of a new one. */
  #take(of: OfKind, uid: string): number {
    const freed = of.free.pop();
    if (freed !== undefined) {
      this.#uids[this.#runOf(freed)] = uid;
      return freed;
    }
    const first = this.#used;
    const run = this.#kinds.push(of) - 1;
    this.#uids.push(uid);
    this.#firsts.set(run, first);
    this.#used += of.rules.length;
    return first;
  }

  /** Which of the runs the unit is in: a search, since an entry for each unit takes megabytes. */
  #runOf(unit: number): number {
    let [low, high] = [0, this.#kinds.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#firsts.get(middle) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

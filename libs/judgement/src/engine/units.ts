/** One rule on one subject, as a small number: what dependencies and findings are kept for. */
export interface Unit {
  readonly rule: number;
  readonly kind: string;
  readonly uid: string;
}

/** The rules on one kind. A subject has a run of units, one for each of them in this order. */
interface OfKind {
  readonly rules: number[];
  readonly first: Map<string, number>;
  readonly free: number[];
}

/** Hands out unit numbers, all of a subject's at once, and takes them back. */
export class Units {
  readonly #ofKind = new Map<string, OfKind>();
  /** By rule: its kind's units, and which of a run is its own. */
  readonly #places: readonly { readonly kind: string; readonly of: OfKind; readonly nth: number }[];
  readonly #rules: number[] = [];
  /** By unit, the subject; of none for those taken back. */
  readonly #uids: (string | undefined)[] = [];

  /** @param subjects the kind each rule judges. */
  constructor(subjects: readonly string[]) {
    this.#places = subjects.map((kind, rule) => {
      let of = this.#ofKind.get(kind);
      if (!of) this.#ofKind.set(kind, (of = { rules: [], first: new Map(), free: [] }));
      return { kind, of, nth: of.rules.push(rule) - 1 };
    });
  }

  get(id: number): Unit | undefined {
    const uid = this.#uids[id];
    if (uid === undefined) return undefined;
    const rule = this.#rules[id]!;
    return { rule, kind: this.#places[rule]!.kind, uid };
  }

  find(rule: number, uid: string): number | undefined {
    const { of, nth } = this.#places[rule]!;
    const first = of.first.get(uid);
    return first === undefined ? undefined : first + nth;
  }

  ensure(rule: number, uid: string): number {
    const { of, nth } = this.#places[rule]!;
    let first = of.first.get(uid);
    if (first === undefined) of.first.set(uid, (first = this.#run(of, uid)));
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
    of.rules.forEach((_, nth) => {
      this.#uids[first + nth] = undefined;
    });
  }

  *ofRule(rule: number): Iterable<[uid: string, id: number]> {
    const { of, nth } = this.#places[rule]!;
    for (const [uid, first] of of.first) yield [uid, first + nth];
  }

  #run(of: OfKind, uid: string): number {
    const first = of.free.pop() ?? this.#uids.length;
    of.rules.forEach((rule, nth) => {
      this.#rules[first + nth] = rule;
      this.#uids[first + nth] = uid;
    });
    return first;
  }
}

/** One rule on one subject, as a small number: what dependencies are kept for. */
export interface Unit {
  readonly rule: number;
  readonly kind: string;
  readonly uid: string;
}

/** Hands out unit numbers and takes them back. */
export class Units {
  readonly #units: (Unit | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #byRule: Map<string, number>[];

  constructor(rules: number) {
    this.#byRule = Array.from({ length: rules }, () => new Map());
  }

  get(id: number): Unit | undefined {
    return this.#units[id];
  }

  find(rule: number, uid: string): number | undefined {
    return this.#byRule[rule]!.get(uid);
  }

  ensure(rule: number, kind: string, uid: string): number {
    const known = this.#byRule[rule]!.get(uid);
    if (known !== undefined) return known;
    const id = this.#free.pop() ?? this.#units.length;
    this.#units[id] = { rule, kind, uid };
    this.#byRule[rule]!.set(uid, id);
    return id;
  }

  release(id: number): void {
    const unit = this.#units[id];
    if (!unit) return;
    this.#units[id] = undefined;
    this.#byRule[unit.rule]!.delete(unit.uid);
    this.#free.push(id);
  }

  ofRule(rule: number): Iterable<[uid: string, id: number]> {
    return this.#byRule[rule]!;
  }
}

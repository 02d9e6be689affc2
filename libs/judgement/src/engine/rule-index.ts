import { declaredKinds } from '../rule-kit/declared-kinds';
import type { Rule } from '../rule-kit/rule';
import { type Cell, cellsOfKnowing } from '../world/cell';

const INDEXES = new WeakMap<readonly Rule[], RuleIndex>();

/** Places of rules in their list. One for all engines with that list. */
export class RuleIndex {
  /** By the kind that they judge. */
  readonly judging: ReadonlyMap<string, readonly number[]>;
  /** By the cells that decide whether a kind is known that they need. */
  readonly needing: ReadonlyMap<Cell, readonly number[]>;

  static of(rules: readonly Rule[]): RuleIndex {
    const index = INDEXES.get(rules) ?? new RuleIndex(rules);
    INDEXES.set(rules, index);
    return index;
  }

  private constructor(rules: readonly Rule[]) {
    const judging = new Map<string, number[]>();
    const needing = new Map<Cell, number[]>();
    rules.forEach((rule, at) => {
      pushOnce(judging, rule.subject, at);
      for (const kind of declaredKinds(rule).needs)
        for (const cell of cellsOfKnowing(kind)) pushOnce(needing, cell, at);
    });
    this.judging = judging;
    this.needing = needing;
  }
}

/** Adds to the list under the key what is not in it yet. */
export function pushOnce<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}

import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { AppliedChanges } from '@ovn-steward/judgement/engine/engine-options';
import type { Score } from '@ovn-steward/judgement/score/score';
import { Scorecard } from '@ovn-steward/judgement/score/scorecard';

/**
 * A scorecard of each cluster, which begins when the cluster's changes are first judged one by one,
 * and again after a rebuild.
 */
export class Scorecards {
  readonly #graceOf: (finding: Finding) => number;
  /**
   * By the engine: that of a cluster that is rebuilt, or of a partition that went to another
   * analyzer, is dropped with it.
   */
  readonly #cards = new WeakMap<object, Scorecard>();

  /** @param graceOf how long something may be dead before it is late, in milliseconds. */
  constructor(graceOf: (finding: Finding) => number) {
    this.#graceOf = graceOf;
  }

  observe(engine: Engine, applied: AppliedChanges): void {
    let card = this.#cards.get(engine);
    if (card === undefined) this.#cards.set(engine, (card = new Scorecard(engine, this.#graceOf)));
    card.observe(applied);
  }

  /** Of the cluster of that engine; undefined before anything was observed of it. */
  score(engine: object): Score | undefined {
    return this.#cards.get(engine)?.score();
  }
}

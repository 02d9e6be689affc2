import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { WorldInput } from '@ovn-steward/judgement/world/world-input';
import { Scorecard } from '@ovn-steward/judgement/score/scorecard';
import { ruleSwitches } from '@ovn-steward/judgement/switches';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { engineFor } from '../inputs/engine-for';

/** An engine over an empty world, with a scorecard of what it sees. */
export interface Graded {
  readonly engine: Engine;
  readonly scorecard: Scorecard;
  /**
   * @param checked as for the world: not where compaction has taken what later changes replaced.
   */
  apply(changes: readonly WorldInput[], options?: { readonly checked: boolean }): void;
}

/**
 * @param dueMs how long something may be dead before it is late; by default the grace of its class
 *   and rule.
 */
export function graded(settings: Settings, dueMs: number | undefined): Graded {
  const engine = engineFor(settings, false);
  const switches = ruleSwitches(settings.rules);
  const scorecard = new Scorecard(
    engine,
    (finding) => dueMs ?? switches.graceOf(finding) ?? settings.grace[finding.class],
  );
  return {
    engine,
    scorecard,
    apply: (changes, options = { checked: true }) =>
      scorecard.observe(engine.apply(changes, options)),
  };
}

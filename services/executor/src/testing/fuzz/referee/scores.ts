import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Row } from '../pictures';
import { countReached, type ReachCounter } from '../reached';
import { emptyTally, type Offence, type Tally } from '../tally';

/** Something that went though somebody wanted it, and may yet be put back. */
export interface Doubtful {
  readonly action: string;
  readonly target: Reference;
  readonly reason: string;
  readonly image: Row | KubernetesObject;
}

/** What all judges of one episode know of the actions, and where they record what they saw. */
export interface Scores {
  readonly tally: Tally;
  readonly offences: Offence[];
  readonly reach: ReachCounter;
  /**
   * As the executors reported them; of two records the later revision counts, and of one revision
   * the first.
   */
  readonly actions: Map<string, ActionRecord>;
  /**
   * What each claim that was made last is about. Findings that lie may have one id and other
   * targets.
   */
  readonly claimed: Map<string, Reference>;
  readonly effects: Map<string, { removals: number; undos: number }>;
  /**
   * Actions of which nobody can see what was done: somebody put the entry there again, which has no
   * incarnation, or took the thing before; or another action put it back.
   */
  readonly overtaken: Set<string>;
  /** Found gone after a claim: nobody knows by whom, and it may be put back all the same. */
  readonly settled: Set<string>;
  /**
   * What was put back into the database and is there since. What somebody has taken meanwhile may
   * be put back once more: nobody can know that from an attempt that never arrived.
   */
  readonly standing: Map<string, Reference>;
  doubtful: Doubtful[];
  offend(kind: Offence['kind'], what: string): void;
  count(action: string, what: 'removals' | 'undos'): void;
  doubt(
    action: string,
    target: Reference,
    reason: string | undefined,
    image: Row | KubernetesObject,
  ): void;
  describe(action: string): string;
}

export function createScores(): Scores {
  const scores: Scores = {
    tally: emptyTally(),
    offences: [],
    reach: countReached(),
    actions: new Map(),
    claimed: new Map(),
    effects: new Map(),
    overtaken: new Set(),
    settled: new Set(),
    standing: new Map(),
    doubtful: [],
    offend(kind, what) {
      scores.tally[kind] += 1;
      scores.offences.push({ kind, what });
    },
    count(action, what) {
      const of = scores.effects.get(action) ?? { removals: 0, undos: 0 };
      scores.effects.set(action, of);
      of[what] += 1;
      if (what === 'removals') scores.reach.removed(scores.actions.get(action));
      scores.tally[what === 'removals' ? 'removals' : 'undone'] += 1;
      if (of[what] > 1 && (what === 'removals' || scores.standing.has(action)))
        scores.offend('doubleEffects', `action ${scores.describe(action)}: ${of[what]} ${what}`);
    },
    doubt(action, target, reason, image) {
      if (reason !== undefined) scores.doubtful.push({ action, target, reason, image });
    },
    describe(action) {
      const record = scores.actions.get(action);
      if (!record) return action;
      const { part } = record.target;
      return `${action.slice(0, 12)} (${record.rule}, ${record.action}, ${record.target.kind} ${record.target.name || record.target.uid}${part ? ` ${part.column} ${part.key}` : ''})`;
    },
  };
  return scores;
}

import type { Claim } from '@ovn-steward/judgement/engine/lifecycle';
import type { Rule } from '@ovn-steward/judgement/rule-kit/rule';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import { actionOf } from '../actions/registry';
import { QueryingWorld } from './querying-world';
import { fetchAnswers, type ProofSources } from './fetch-answers';
import { foreseenOf } from './foreseen';
import { type Judged, judgeAgain, type Remediable } from './judge-again';
import type { ProofDoubt } from './recheck';
import type { Paired } from './live-pairing';
import { foundationsOf } from './foundations-of';
import type { LiveScope } from './live-scope';
import { distinct, type Question } from './question';

/** What a finding says is so, on the living systems, now. */
export interface Proven {
  readonly is: 'proven';
  readonly foundations: Foundations;
  /** As the rule says it now: equal to the finding's, but for sentences. */
  readonly claim: Claim;
  readonly subject: Entity;
  readonly scope: LiveScope;
  /**
   * Other subnets in which the target lies, or what else the violation concerns: a hold on any of
   * them keeps it.
   */
  readonly otherScopes: readonly LiveScope[];
  /** The pair of which it was read that they are one cluster: for no other is anything proven. */
  readonly identity: ClusterIdentity;
  /**
   * Whether that rests on a person's statement that Kube-OVN was uninstalled, and on nothing else.
   */
  readonly bySaying: boolean;
  /** `performance.now()` before anything of it was read. */
  readonly readAt: number;
}

/**
 * untrue: the finding does not hold, or does not allow anything to be done. changed: something
 * about it is wrong, but not what it says. unknown: it cannot be determined.
 */
export type Proof = Proven | Exclude<Judged, { readonly is: 'proven' }>;

/**
 * How old what shows that both systems are one cluster may be for a proof; it is read again at the
 * last check. Milliseconds.
 */
export const PAIRING_AGE_MS = 5000;

/**
 * A rule with new queries after so many rounds is never satisfied: references form short chains.
 */
const MOST_ROUNDS = 12;

/** What the proof of one finding is made with. */
export interface Rounds {
  readonly cluster: string;
  readonly isProtected: (entity: Entity) => boolean;
  readonly sources: (signal: AbortSignal) => Promise<ProofSources>;
  readonly led: (
    claim: Pick<Finding, 'proof' | 'remedy'>,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  readonly paired: (ageMs: number, signal: AbortSignal) => Promise<Paired | ProofDoubt>;
}

/** Judges the finding again, and reads whatever its rule queries, until it queries nothing new. */
export async function proveInRounds(
  finding: Remediable,
  rule: Rule,
  { cluster, isProtected, sources, led, paired }: Rounds,
  signal: AbortSignal,
): Promise<Proof> {
  const readAt = performance.now();
  const from = await sources(signal);
  const world = new QueryingWorld();
  let foreseen: readonly Question[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    world.begin();
    const judged = judgeAgain(finding, rule, world, {
      cluster,
      isProtected,
      onlyApproved: actionOf(finding.remedy.action)?.onlyApproved ?? false,
    });
    const open = world.open();
    if (open.length === 0) {
      const doubt = world.doubt();
      if (doubt !== undefined) return { is: 'unknown', reason: doubt };
      const leader = judged.is === 'proven' ? await led(judged.claim, signal) : undefined;
      if (leader !== undefined) return { is: 'unknown', reason: leader };
      if (judged.is !== 'proven') return judged;
      const pair = await paired(PAIRING_AGE_MS, signal);
      if (pair.is !== 'paired') return pair;
      return {
        ...judged,
        foundations: foundationsOf(world.answered(), finding.remedy.target.source),
        identity: pair.identity,
        bySaying: pair.bySaying,
        readAt,
      };
    }
    const ahead = foreseen.filter((it) => !world.isAnswered(it));
    const answers = await fetchAnswers(distinct([...open, ...ahead]), from, signal);
    for (const [question, answer] of answers) world.answer(question, answer);
    foreseen = answers.flatMap(([question, answer]) =>
      answer.is === 'found'
        ? answer.entities.flatMap((it) =>
            foreseenOf(it, it.uid === finding.subject.uid && question.ask === 'uid'),
          )
        : [],
    );
  }
  return {
    is: 'unknown',
    reason: `the rule ${rule.id} still asked after ${MOST_ROUNDS} rounds of questions`,
  };
}

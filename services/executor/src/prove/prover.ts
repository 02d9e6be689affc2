import { setMaxListeners } from 'node:events';
import type { Claim } from '@ovn-steward/judgement/engine/lifecycle';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Rule } from '@ovn-steward/judgement/rule-kit/rule';
import { restsOnControllerGone } from '@ovn-steward/judgement/rule-kit/controller';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { messageOf } from '@ovn-steward/shared/errors';
import {
  type ClusterIdentity,
  identityText,
  sameIdentity,
} from '@ovn-steward/shared/cluster-identity';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { actionOf } from '../actions/registry';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import { ledByController, type Pause } from './controller-lease';
import type { Systems } from '@ovn-steward/systems/systems';
import { QueryingWorld } from './querying-world';
import { fetchAnswers, type Sources } from './fetch-answers';
import { foreseenOf } from './foreseen';
import { type Judged, judgeAnew, type Remediable } from './judge-anew';
import { type ProofDoubt, whatAppeared } from './recheck';
import { liveObjects } from './live-objects';
import { type Paired, pairingOfLiving } from './live-pairing';
import { foundationsOf } from './foundations-of';
import { liveSources } from './live-sources';
import { liveStatement } from './live-statement';
import type { LiveScope } from './live-scope';
import { createBulkCache } from './bulk-cache';
import { distinct, type Question } from './question';

/** What a finding says is so, on the living systems, now. */
export interface Proven {
  readonly is: 'proven';
  readonly foundations: Foundations;
  /** As the rule says it now: equal to the finding's, but for sentences. */
  readonly claim: Claim;
  readonly subject: Entity;
  readonly scope: LiveScope;
  /** Other subnets in which the target lies, or what else the violation concerns: a hold on any of them keeps it. */
  readonly elsewhere: readonly LiveScope[];
  /** The pair of which it was read that they are one cluster: for no other is anything proven. */
  readonly identity: ClusterIdentity;
  /** Whether that rests on a person's statement that Kube-OVN was uninstalled, and on nothing else. */
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
 * Proves findings anew. A finding only says what to read: its own rule judges its subject again, in
 * a world that holds only what was just read, and queries the living systems for whatever it needs,
 * until it needs no more. The claims of a finding count for nothing; they may be false.
 */
export interface Prover {
  /** The statements of people it counts (`UNINSTALLED`). */
  readonly uninstalled: readonly string[];
  /** Never throws: what cannot be read, understood or decided is unknown. */
  prove(finding: Finding, signal: AbortSignal): Promise<Proof>;
  /**
   * Checks once more everything in Kubernetes that must be absent: returns the first that exists or
   * cannot be read; undefined when all is as it was proven.
   */
  recheck(proven: Proven, signal: AbortSignal): Promise<ProofDoubt | undefined>;
  /**
   * The same just after the target was removed, without the cache: a sentence for what came
   * meanwhile. A repeated failure to read is no reason to put anything back: it does not show that
   * an owner came.
   */
  whoCame(
    foundations: Foundations,
    target: Pick<Reference, 'uid'>,
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

/** How many attempts to read what came while a target was removed, where no answer comes. */
const MOST_RUNS = 4;
/**
 * How old what shows that both systems are one cluster may be for a proof; it is read again at the
 * last check. Milliseconds.
 */
const PAIRING_AGE_MS = 5000;
/** How old a list may be at the last check. Milliseconds. */
const LIST_AGE_MS = 1000;

/**
 * A rule with new queries after so many rounds is never satisfied: references form short chains.
 */
const MOST_ROUNDS = 12;

const RULE: ReadonlyMap<string, Rule> = new Map(RULES.map((it) => [it.id, it]));

export interface ProverOptions {
  readonly cluster: string;
  readonly systems: Systems;
  /** What people keep by the settings, or by a mark on the thing itself (`protectionOf`). */
  readonly isProtected: (entity: Entity) => boolean;
  /** The Lease of Kube-OVN's controllers. */
  readonly kubeOvn: Settings['executor']['kubeOvn'];
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`); none unless given. */
  readonly uninstalled?: readonly string[];
  /** Between two reads of that Lease; waits, by default. */
  readonly pause?: Pause;
}

/** What the proof of one finding is made with. */
interface Rounds extends Pick<ProverOptions, 'cluster' | 'isProtected'> {
  readonly sources: (signal: AbortSignal) => Promise<Sources>;
  readonly led: (
    claim: Pick<Finding, 'proof' | 'remedy'>,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  readonly paired: (ageMs: number, signal: AbortSignal) => Promise<Paired | ProofDoubt>;
}

/** Judges the finding anew, and reads whatever its rule queries, until it queries nothing new. */
async function proveInRounds(
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
    const judged = judgeAnew(finding, rule, world, {
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

export function createProver({
  cluster,
  systems,
  isProtected,
  kubeOvn,
  uninstalled = [],
  pause,
}: ProverOptions): Prover {
  const cache = createBulkCache();
  const objects = liveObjects(systems.kubernetes, cache);

  const sources = async (signal: AbortSignal, bulk = cache): Promise<Sources> => ({
    ...(await liveSources(systems, objects, cache, signal)),
    cache: bulk,
  });
  /** A controller outside the cluster has no pod here, and still works: its Lease shows it. */
  const led = async (
    { proof: facts, remedy }: Pick<Finding, 'proof' | 'remedy'>,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const isUnled =
      restsOnControllerGone(facts) ||
      (remedy !== null && actionOf(remedy.action)?.onlyUnled === true);
    return isUnled
      ? ledByController(systems.kubernetes, kubeOvn, signal, pause && { pause })
      : undefined;
  };
  const living = livingIdentity(systems, () => performance.now());
  const statement = liveStatement(
    uninstalled,
    systems.kubernetes,
    kubeOvn,
    async (signal) => {
      const fresh = createBulkCache();
      return {
        ...(await sources(signal, fresh)),
        objects: liveObjects(systems.kubernetes, fresh),
      };
    },
    pause,
  );
  const paired = (ageMs: number, signal: AbortSignal): Promise<Paired | ProofDoubt> =>
    pairingOfLiving(
      cache,
      living,
      async () => (await sources(signal)).rows,
      objects,
      statement,
      ageMs,
      signal,
    );
  const rounds: Rounds = { cluster, isProtected, sources, led, paired };

  return {
    uninstalled,
    async prove(finding, signal) {
      const objection = objectionTo(finding, cluster);
      if (typeof objection === 'string') return { is: 'untrue', reason: objection };
      try {
        // Before anything is read: what takes seconds is not to make the proof old.
        const leader = await led(finding, signal);
        return leader === undefined
          ? await proveInRounds(finding as Remediable, objection, rounds, heardByMany(signal))
          : { is: 'unknown', reason: leader };
      } catch (error) {
        return { is: 'unknown', reason: messageOf(error) };
      }
    },
    recheck: async ({ foundations, claim, identity }, signal) => {
      const doubt = await led(claim, signal).then(
        (reason) => reason && { is: 'unknown' as const, reason },
        (error: unknown) => ({
          is: 'unknown' as const,
          reason: `whether a kube-ovn-controller leads cannot be known: ${messageOf(error)}`,
        }),
      );
      const another = elsewhere(identity, await paired(LIST_AGE_MS, signal));
      // The proof has itself just read the database's tables, which says nothing here: the check is
      // for what came since.
      return (
        doubt ||
        another ||
        whatAppeared(
          foundations,
          objects,
          () => sources(signal, createBulkCache()),
          LIST_AGE_MS,
          heardByMany(signal),
        )
      );
    },
    whoCame: async (foundations, target, signal) => {
      const witnesses = foundations.witnesses.filter((it) => it.uid !== target.uid);
      for (let attempt = 1; ; attempt++) {
        const doubt = await whatAppeared(
          { ...foundations, witnesses },
          objects,
          () => sources(signal, createBulkCache()),
          0,
          heardByMany(signal),
        );
        if (doubt?.is !== 'unknown' || attempt === MOST_RUNS)
          return doubt?.is === 'changed' ? doubt.reason : undefined;
      }
    },
  };
}

/** Why those who answer now are not the pair it was proven on; undefined when they are. */
const elsewhere = (proven: ClusterIdentity, now: Paired | ProofDoubt): ProofDoubt | undefined =>
  now.is !== 'paired'
    ? now
    : sameIdentity(proven, now.identity)
      ? undefined
      : {
          is: 'mispaired',
          reason: `it was proven on ${identityText(proven)}, and ${identityText(now.identity)} answer now`,
        };

/** One that a dozen requests at once may listen to without a warning. */
function heardByMany(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

/** Why the finding is nothing to act on, whatever is there; else its rule. */
function objectionTo(finding: Finding, cluster: string): string | Rule {
  if (finding.cluster !== cluster)
    return `it is about cluster ${finding.cluster}, and this executor acts on ${cluster}`;
  if (finding.state !== 'confirmed')
    return `it is ${finding.state}, and only what is confirmed is acted on`;
  if (!finding.remedy) return 'it has no remedy: a person must decide';
  const rule = RULE.get(finding.rule);
  if (!rule) return `this version has no rule ${finding.rule}`;
  if (
    rule.subject !== finding.subject.kind ||
    (finding.subject.source === 'kubernetes') !== (kubernetesKind(rule.subject) !== undefined)
  )
    return `the rule ${rule.id} judges ${rule.subject}, not ${finding.subject.kind}`;
  return rule;
}

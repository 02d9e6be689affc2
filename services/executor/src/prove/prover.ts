import type { Entity } from '@ovn-steward/judgement/world/entity';
import { messageOf } from '@ovn-steward/shared/errors';
import { allowManyListeners } from '@ovn-steward/shared/allow-many-listeners';
import {
  type ClusterIdentity,
  identityText,
  sameIdentity,
} from '@ovn-steward/shared/cluster-identity';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Remediable } from './judge-again';
import { LiveReads, type LiveReadsOptions } from './live-reads';
import type { ProofDoubt } from './recheck';
import type { Paired } from './live-pairing';
import {
  PAIRING_AGE_MS,
  type Proven,
  type Proof,
  type Rounds,
  proveInRounds,
} from './prove-in-rounds';
import { objectionTo } from './objection';

/**
 * Proves findings again. A finding only says what to read: its own rule judges its subject again,
 * in a world that holds only what was just read, and queries the living systems for whatever it
 * needs, until it needs no more. The claims of a finding count for nothing; they may be false.
 */
export interface Prover {
  /** The statements of people it counts (`UNINSTALLED`). */
  readonly uninstalled: readonly string[];
  /** Never throws: what cannot be read, understood or decided is unknown. */
  prove(finding: Finding, signal: AbortSignal): Promise<Proof>;
  /**
   * Which pair of systems answers, shown to be one cluster within the last five seconds; else why
   * that is not known.
   */
  pair(signal: AbortSignal): Promise<Paired | ProofDoubt>;
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

/** How old a list may be at the last check. Milliseconds. */
const LIST_AGE_MS = 1000;

export interface ProverOptions extends Omit<LiveReadsOptions, 'uninstalled'> {
  readonly cluster: string;
  /** What people keep by the settings, or by a mark on the thing itself (`protectionOf`). */
  readonly isProtected: (entity: Entity) => boolean;
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`); none unless given. */
  readonly uninstalled?: readonly string[];
}

export function createProver(options: ProverOptions): Prover {
  const { cluster, isProtected, uninstalled = [] } = options;
  const reads = new LiveReads({ ...options, uninstalled });
  const rounds: Rounds = {
    cluster,
    isProtected,
    sources: (signal) => reads.sources(signal),
    led: (claim, signal) => reads.led(claim, signal),
    paired: (ageMs, signal) => reads.paired(ageMs, signal),
  };
  return {
    uninstalled,
    pair: (signal) => reads.paired(PAIRING_AGE_MS, signal),
    async prove(finding, signal) {
      const objection = objectionTo(finding, cluster);
      if (typeof objection === 'string') return { is: 'untrue', reason: objection };
      try {
        // Before anything is read: what takes seconds is not to make the proof old.
        const leader = await reads.led(finding, signal);
        return leader === undefined
          ? await proveInRounds(
              finding as Remediable,
              objection,
              rounds,
              allowManyListeners(signal),
            )
          : { is: 'unknown', reason: leader };
      } catch (error) {
        return { is: 'unknown', reason: messageOf(error) };
      }
    },
    recheck: (proven, signal) => recheckProven(proven, reads, signal),
    whoCame: async (foundations, target, signal) => {
      const witnesses = foundations.witnesses.filter((it) => it.uid !== target.uid);
      for (let attempt = 1; ; attempt++) {
        const doubt = await reads.appeared({ ...foundations, witnesses }, 0, signal);
        if (doubt?.is !== 'unknown' || attempt === MOST_RUNS)
          return doubt?.is === 'changed' ? doubt.reason : undefined;
      }
    },
  };
}

async function recheckProven(
  { foundations, claim, identity }: Proven,
  reads: LiveReads,
  signal: AbortSignal,
): Promise<ProofDoubt | undefined> {
  const doubt = await reads.led(claim, signal).then(
    (reason) => reason && { is: 'unknown' as const, reason },
    (error: unknown) => ({
      is: 'unknown' as const,
      reason: `whether a kube-ovn-controller leads cannot be known: ${messageOf(error)}`,
    }),
  );
  if (doubt) return doubt;
  const [pair, appeared] = await Promise.all([
    reads.paired(LIST_AGE_MS, signal),
    reads.appeared(foundations, LIST_AGE_MS, signal),
  ]);
  return otherPair(identity, pair) ?? appeared;
}

/** Why those who answer now are not the pair it was proven on; undefined when they are. */
const otherPair = (proven: ClusterIdentity, now: Paired | ProofDoubt): ProofDoubt | undefined =>
  now.is !== 'paired'
    ? now
    : sameIdentity(proven, now.identity)
      ? undefined
      : {
          is: 'mispaired',
          reason: `it was proven on ${identityText(proven)}, and ${identityText(now.identity)} answer now`,
        };

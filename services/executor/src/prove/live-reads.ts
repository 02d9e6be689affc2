import { allowManyListeners } from '@ovn-steward/shared/allow-many-listeners';
import { restsOnControllerGone } from '@ovn-steward/judgement/rule-kit/controller';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { type LivingIdentity, livingIdentity } from '@ovn-steward/systems/living-identity';
import type { Systems } from '@ovn-steward/systems/systems';
import { actionOf } from '../actions/registry';
import { createBulkCache } from './bulk-cache';
import { ledByController, type Pause } from './controller-lease';
import type { ProofSources } from './fetch-answers';
import { LiveObjects } from './live-objects';
import { type Paired, pairingOfLiving, type Statement } from './live-pairing';
import { liveSources } from './live-sources';
import { liveStatement } from './live-statement';
import { type ProofDoubt, whatAppeared } from './recheck';

export interface LiveReadsOptions {
  readonly systems: Systems;
  /** The Lease of Kube-OVN's controllers. */
  readonly kubeOvn: Settings['executor']['kubeOvn'];
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`). */
  readonly uninstalled: readonly string[];
  /** Between two reads of that Lease; waits, by default. */
  readonly pause?: Pause | undefined;
}

/** What proofs read from the living systems; what is young enough is read once for all of them. */
export class LiveReads {
  readonly #options: LiveReadsOptions;
  readonly #cache = createBulkCache();
  readonly #objects: LiveObjects;
  readonly #living: LivingIdentity;
  readonly #statement: Statement;

  constructor(options: LiveReadsOptions) {
    const { systems, kubeOvn, uninstalled, pause } = options;
    this.#options = options;
    this.#objects = new LiveObjects(systems.kubernetes, this.#cache);
    this.#living = livingIdentity(systems, () => performance.now());
    this.#statement = liveStatement(
      uninstalled,
      systems.kubernetes,
      kubeOvn,
      (signal) => this.#freshSources(signal),
      pause,
    );
  }

  async sources(signal: AbortSignal, cache = this.#cache): Promise<ProofSources> {
    const sources = await liveSources(this.#options.systems, this.#objects, this.#cache, signal);
    return { ...sources, cache };
  }

  /**
   * Why a controller works, where the claim or its remedy needs that none does; undefined else. One
   * outside the cluster has no pod here, and still works: its Lease shows it.
   */
  async led(
    { proof: facts, remedy }: Pick<Finding, 'proof' | 'remedy'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { systems, kubeOvn, pause } = this.#options;
    const isUnled =
      restsOnControllerGone(facts) ||
      (remedy !== null && actionOf(remedy.action)?.onlyUnled === true);
    return isUnled
      ? ledByController(systems.kubernetes, kubeOvn, signal, pause && { pause })
      : undefined;
  }

  /** Which pair of systems answers, by what is at most so old; else why that is not known. */
  paired(ageMs: number, signal: AbortSignal): Promise<Paired | ProofDoubt> {
    return pairingOfLiving(
      this.#cache,
      this.#living,
      async () => (await this.sources(signal)).rows,
      this.#objects,
      this.#statement,
      ageMs,
      signal,
    );
  }

  /** As `whatAppeared`. Rows are read anew: the proof has itself just read the tables. */
  appeared(
    foundations: Foundations,
    listAgeMs: number,
    signal: AbortSignal,
  ): Promise<ProofDoubt | undefined> {
    return whatAppeared(
      foundations,
      this.#objects,
      () => this.sources(signal, createBulkCache()),
      listAgeMs,
      allowManyListeners(signal),
    );
  }

  /** With nothing remembered but the schema. */
  async #freshSources(signal: AbortSignal): Promise<ProofSources> {
    const fresh = createBulkCache();
    return {
      ...(await this.sources(signal, fresh)),
      objects: new LiveObjects(this.#options.systems.kubernetes, fresh),
    };
  }
}

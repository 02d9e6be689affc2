import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import {
  type ClusterIdentity,
  identityText,
  sameIdentity,
} from '@ovn-steward/shared/cluster-identity';
import type { Adoption } from '../control/control-state';
import type { LedgerIdentity, LedgerOwner } from '../ledger/ledger-identity';
import type { LivingIdentity } from '@ovn-steward/systems/living-identity';
import { onceEach } from './once-each';

/** What was refused since it is of other living systems. */
export type Foreign =
  'turn' | 'send' | 'guard' | 'claim' | 'race' | 'undo' | 'plan' | 'approval' | 'give-up';

export type BelongingEvent =
  /** Published each time for a turn, a send and a guard's write, and once for anything else. */
  | { readonly type: 'other-cluster'; readonly what: Foreign; readonly why: string }
  /**
   * To which systems the ledger belongs, which systems answer, and why nothing is done; published
   * when it changes.
   */
  | {
      readonly type: 'identity';
      readonly ledger: ClusterIdentity | undefined;
      readonly here: ClusterIdentity;
      readonly refuses: string | undefined;
    };

/** A record, as far as it says whose it is. */
export type Named = Pick<ActionRecord, 'identity' | 'claimedAt'>;

export interface BelongingOptions {
  readonly cluster: string;
  readonly living: LivingIdentity;
  readonly owners: Pick<LedgerIdentity, 'get' | 'set'>;
  /** Whose the newest claim in the ledger is that says it: for an executor whose file is new. */
  readonly newest: () => ClusterIdentity | undefined;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: BelongingEvent) => void;
}

/**
 * How long an answer is good for what sends nothing; milliseconds. A turn begins every second and
 * by itself changes nothing: each send and each record of a claim verifies the identity again. So
 * an address that leads elsewhere is noticed within this time in an idle executor, and at once in
 * one that acts.
 */
const TURN_MS = 10_000;
/** And for a send: the time from asking for holds to having sent. Milliseconds. */
export const SEND_MS = 2000;

/**
 * To which living systems the ledger of a cluster belongs, and whether they are the ones that
 * answer. A cluster's name is no proof: with a folder of another cluster, another kubeconfig, or
 * one address changed, claims were settled and things put back in a cluster they never came from.
 */
export class Belonging {
  readonly #options: BelongingOptions;
  #owner: LedgerOwner | undefined;
  #here: ClusterIdentity | undefined;
  #adoption: Adoption | undefined;
  #shown = '';
  readonly #isNew = onceEach();

  constructor(options: BelongingOptions) {
    this.#options = options;
    this.#owner = options.owners.get(options.cluster) ?? guessed(options.newest());
  }

  /**
   * Reads the identity of the systems, and respects what a person adopted. To be called before
   * anything else in a turn.
   * @returns why nothing may be done here; undefined when all is as it should be.
   * @throws Failure when it cannot be read.
   */
  async begin(adopted: Adoption | undefined, signal: AbortSignal): Promise<string | undefined> {
    const { cluster, living, onEvent } = this.#options;
    const pair = (this.#here = await living.recent(TURN_MS, signal));
    this.#adoption = adopted;
    if (
      adopted !== undefined &&
      adopted.id !== this.#owner?.adopted &&
      sameIdentity(adopted.to, pair)
    )
      this.#own({ identity: pair, unnamed: adopted.unnamed, adopted: adopted.id });
    const why =
      this.#owner === undefined || sameIdentity(this.#owner.identity, pair)
        ? undefined
        : otherText(cluster, this.#owner.identity, pair);
    this.#show(pair, why);
    if (why !== undefined) onEvent({ type: 'other-cluster', what: 'turn', why });
    return why;
  }

  /**
   * Reads the identity again.
   * @throws Failure `other-cluster` when the systems that answer are not those the ledger belongs
   * to; others when it cannot be read.
   */
  check(signal: AbortSignal): Promise<void> {
    return this.#verify(this.#owner?.identity, () => this.#options.living.read(signal));
  }

  /**
   * The same right before a send, with an answer that may be two seconds old: the hold check has
   * read it just before, and nothing slow may lie between a hold check and a send.
   */
  sending(signal: AbortSignal): Promise<void> {
    return this.#verify(this.#owner?.identity, () => this.#options.living.recent(SEND_MS, signal));
  }

  /** Whether `sending` would send no query now. */
  isFresh(): boolean {
    return this.#options.living.isRecent(SEND_MS);
  }

  /**
   * The same as `check` before a claim, for the pair it was proven on: when others answer, nothing
   * is claimed. A ledger that belongs to no pair yet belongs to this one from then on, and to no
   * other.
   * @param proven the pair that was shown to be one cluster (`Proven.identity`).
   */
  async claim(proven: ClusterIdentity, signal: AbortSignal): Promise<void> {
    const pair = this.#owner?.identity ?? this.#here ?? proven;
    await this.#verify(pair, async () => proven);
    await this.#verify(pair, () => this.#options.living.read(signal));
    if (this.#owner !== undefined) return;
    this.#own({ identity: proven, unnamed: false, adopted: null });
    this.#show(proven, undefined);
  }

  /** What a record written now says. */
  named(): ClusterIdentity | undefined {
    return this.#owner?.identity ?? this.#here;
  }

  /**
   * Why a record is not to be touched here; undefined when it is of the systems the ledger belongs
   * to.
   */
  foreign({ identity }: Named): string | undefined {
    const { cluster } = this.#options;
    const owner = this.#owner;
    if (identity === undefined)
      return owner?.unnamed === true
        ? undefined
        : `it was written by an earlier version, which did not say of which living systems; if it is of those that are here, say so: ${adoptCommand(cluster, this.#here, true)}`;
    return owner !== undefined && sameIdentity(identity, owner.identity)
      ? undefined
      : `it is of ${identityText(identity)}, and the ledger of ${cluster} belongs to ${owner === undefined ? 'no living systems yet' : identityText(owner.identity)}`;
  }

  /**
   * Why a decision that was made of these systems counts for nothing here; undefined when it
   * counts. One that names none counts: what it is about is held against the systems.
   */
  refuses(identity: ClusterIdentity | undefined): string | undefined {
    const ours = this.named();
    return identity === undefined || ours === undefined || sameIdentity(identity, ours)
      ? undefined
      : `it was decided about ${identityText(identity)}, and this is ${identityText(ours)}`;
  }

  /**
   * Whether a person said that nothing of a foreign record is left to be done: it was claimed
   * before the ledger was adopted.
   */
  isOver({ claimedAt }: Named): boolean {
    return (
      this.#adoption !== undefined &&
      this.#adoption.id === this.#owner?.adopted &&
      claimedAt !== null &&
      Date.parse(claimedAt) <= Date.parse(this.#adoption.at)
    );
  }

  /** Publishes what is refused, once. */
  refused(what: Foreign, id: string, why: string): void {
    if (this.#isNew(`${what} ${id}`)) this.#options.onEvent({ type: 'other-cluster', what, why });
  }

  #own(owner: LedgerOwner): void {
    this.#options.owners.set(this.#options.cluster, owner);
    this.#owner = owner;
  }

  #show(pair: ClusterIdentity, refuses: string | undefined): void {
    const now = JSON.stringify([this.#owner?.identity, pair]);
    if (now === this.#shown) return;
    this.#shown = now;
    this.#options.onEvent({
      type: 'identity',
      ledger: this.#owner?.identity,
      here: pair,
      refuses,
    });
  }

  async #verify(
    expected: ClusterIdentity | undefined,
    query: () => Promise<ClusterIdentity>,
  ): Promise<void> {
    const { cluster, onEvent } = this.#options;
    if (expected === undefined)
      throw new Failure(
        'other-cluster',
        `Nothing may be sent to ${cluster} before it is known which living systems its ledger belongs to.`,
      );
    const pair = await query();
    if (sameIdentity(pair, expected)) return;
    const why = otherText(cluster, expected, pair);
    onEvent({ type: 'other-cluster', what: 'send', why });
    throw new Failure('other-cluster', why);
  }
}

/** A file that is new knows only what the log says. */
const guessed = (identity: ClusterIdentity | undefined): LedgerOwner | undefined =>
  identity && { identity, unnamed: false, adopted: null };

/** How a person says that a cluster is those systems now. */
const adoptCommand = (
  cluster: string,
  here: ClusterIdentity | undefined,
  unnamed: boolean,
): string =>
  `steward adopt --cluster ${cluster} --northbound ${here?.northbound ?? '<identity>'} --kubernetes-uid ${here?.kubernetes ?? '<uid>'}${unnamed ? ' --unnamed' : ''} --reason <text>`;

/** Why nothing is written to the systems `here`, and what a person does about it. */
export const otherText = (
  cluster: string,
  ledger: ClusterIdentity,
  here: ClusterIdentity,
): string =>
  `The ledger of cluster ${cluster} belongs to ${identityText(ledger)}, and those who answer are ${identityText(here)}: nothing is claimed, settled, undone or put back. Check the state folder, the addresses and the kubeconfig. If the cluster was rebuilt, say so: ${adoptCommand(cluster, here, false)}; then nothing of the old one is carried out any more.`;

import { pause } from '@ovn-steward/shared/pause';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import type { ControlState } from '../control/control-state';
import type { ControlFollower } from '../control/follow-control';
import { admit } from '../gate/admit';
import type { Proposal } from '../findings/proposal';
import type { Limiter } from '../store/limiter';
import { type ApplicantOptions, applicantsOf } from './applicants';
import type { BelongingEvent } from '../identity/belonging';
import { giveUp } from './give-up';
import type { Item } from '../gate/item';
import { ActionRunner } from './action-runner';
import { recordOnce } from './record-once';
import { oursAmong } from './ours';
import { racesIn } from './record-removed';
import { retriesOf, type UnsettledAction } from './retries';
import { isRestoring, restoreDamaged } from './restore-damaged';
import { settleAll } from './settle-all';
import type { GateContexts } from './gate-context';
import { terminatingIn, terminatingChecks } from './terminating';
import { undoWanted, wantedBack } from './undo-requests';
import type { UnprovenEvent } from './unproven';
import { recordUnsettled } from './unsettled';
import { withdrawnIn } from './withdrawn-undos';
import type { Aborted, Admission, GateContext } from '../gate/admission';
import { firstRefusal } from '../gate/refusals';

export type WorkEvent =
  | BelongingEvent
  | UnprovenEvent
  /** A turn ended: so many were done something about. */
  | {
      readonly type: 'turn';
      readonly items: number;
      readonly performed: number;
      /** What is under way and could not be brought to its end. */
      readonly unsettled: readonly UnsettledAction[];
    }
  /**
   * One action that is under way could not be brought to its end; it is tried again, and others go
   * on.
   */
  | {
      readonly type: 'unsettled';
      readonly unsettled: UnsettledAction;
      readonly error: unknown;
      readonly retryInMs: number;
    }
  | { readonly type: 'aborted'; readonly plan: Aborted }
  /** Nothing is done for now. */
  | { readonly type: 'waits'; readonly why: string }
  | { readonly type: 'failed'; readonly error: string; readonly retryInMs: number };

export interface WorkerOptions extends ApplicantOptions {
  /** The confirmed findings with a remedy, as they stand. */
  readonly proposals: () => readonly Proposal[];
  readonly control: Pick<ControlFollower, 'state' | 'age' | 'forget'>;
  readonly contexts: GateContexts;
  readonly withVpcs: (
    proposals: readonly Proposal[],
    signal: AbortSignal,
  ) => Promise<readonly Proposal[]>;
  readonly limiter: Limiter;
  /** As in `ActionRunnerOptions`. */
  readonly proofsWithinMs?: number;
  /** Where backups go that are taken before rows of others are put back. */
  readonly backups: string;
  /**
   * How long what Kubernetes took to delete may wait for its finalizers until it is recorded as
   * failed; milliseconds.
   */
  readonly finishWithinMs: number;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: WorkEvent) => void;
  /** Milliseconds between two turns when nothing calls for one. */
  readonly everyMs?: number;
}

const TURN_INTERVAL_MS = 1000;
/** Holds that are older than this may not be all: a person may have placed another one. */
const DECIDED_WITHIN_MS = 3000;
/** So many are carried out per decision: figures, findings and windows change meanwhile. */
const MOST_PER_DECISION = 192;
/**
 * A decision expires after so many milliseconds: at a slow rate a batch would go on through a
 * freeze, or after a controller took the lead.
 */
const DECISION_VALID_MS = 2000;

/** Acts on one cluster, turn after turn. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #applicants: ReturnType<typeof applicantsOf>;
  readonly #retries: ReturnType<typeof retriesOf>;
  readonly #checks = terminatingChecks();
  readonly #runner: ActionRunner;
  readonly #restore: ReturnType<typeof restoreDamaged>;
  #hasLock = false;

  constructor(options: WorkerOptions) {
    const { work, onEvent } = options;
    this.#options = options;
    this.#applicants = applicantsOf(options);
    this.#retries = retriesOf({
      clock: options.clock,
      before: (id) => work.ledger.of(id)?.unsettled,
      onFailure: (unsettled, error, retryInMs) => {
        onEvent({ type: 'unsettled', unsettled, error, retryInMs });
        recordUnsettled(unsettled, work.ledger, options.clock());
      },
    });
    this.#runner = new ActionRunner(options, this.#retries);
    this.#restore = restoreDamaged({ ...options, takeOver: (it) => this.#takeOver(it) });
  }

  /**
   * Works until the signal fires, turn after turn. Failures are published and tried again.
   * @throws Failure `log-partition-lost`, `log-closed`.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { onEvent, everyMs = TURN_INTERVAL_MS } = this.#options;
    for (let failures = 0; !signal.aborted;) {
      try {
        const more = await this.turn(signal);
        failures = 0;
        if (more) continue;
      } catch (error) {
        if (signal.aborted) return;
        if (endsWork(error)) throw error;
        const retryInMs = Math.min(everyMs * 2 ** failures, 30_000);
        failures += 1;
        onEvent({ type: 'failed', error: messageOf(error), retryInMs });
        await pause(retryInMs, signal);
        continue;
      }
      await pause(everyMs, signal);
    }
  }

  /**
   * One turn: settles what is open, puts back what is wanted back, decides about everything, and
   * does what may be done.
   * @returns whether there is more to do at once.
   */
  async turn(signal: AbortSignal): Promise<boolean> {
    const decided = await this.#begin(signal);
    if (decided === undefined) return false;
    const { withVpcs, proposals: standing } = this.#options;
    const proposals = await withVpcs(standing(), signal);
    await this.#settle(decided, signal);
    await this.#putBack(decided, signal);
    return this.#decide(proposals, decided, signal);
  }

  /** @returns what people decided; undefined where nothing may be done now. */
  async #begin(signal: AbortSignal): Promise<ControlState | undefined> {
    const { work, control, onEvent } = this.#options;
    const decided = control.state();
    // Before anything else, the lock included: the lock's holder on other systems is not to be
    // disturbed.
    const foreign = await work.belonging.begin(decided?.adopted, signal);
    if (foreign !== undefined) {
      onEvent({ type: 'waits', why: foreign });
      return undefined;
    }
    // Queued for even when nothing is to be done, or all of it is on hold, so that another client
    // of the lock sees that an executor acts here.
    await work.systems.northbound.queueForLock(signal);
    if (decided === undefined || control.age() > DECIDED_WITHIN_MS) {
      onEvent({
        type: 'waits',
        why: 'what people decided cannot be read now, and somebody may have said stop',
      });
      return undefined;
    }
    return decided;
  }

  /** What is under way comes to its end. */
  async #settle(decided: ControlState, signal: AbortSignal): Promise<void> {
    const { work, ledger, control, cluster, clock, finishWithinMs } = this.#options;
    if (decided.givenUp.size > 0) control.forget(giveUp(decided, ledger, work));
    const claims = oursAmong(ledger.open(cluster), 'claim', work);
    const races = oursAmong(racesIn(ledger, cluster), 'race', work);
    const terminating = oursAmong(terminatingIn(ledger, cluster), 'claim', work);
    const withdrawn = oursAmong(withdrawnIn(decided, ledger, cluster), 'race', work);
    const underWay = [...claims, ...races, ...terminating, ...withdrawn];
    if (underWay.length > 0) await this.#takeOver(signal);
    this.#retries.keep([...underWay, ...wantedBack(decided, ledger)].map(({ id }) => id));
    await settleAll(
      { claims, races, terminating: this.#checks.due(terminating), withdrawn },
      work,
      { now: clock().getTime(), finishWithinMs },
      this.#retries,
      signal,
    );
  }

  async #putBack(decided: ControlState, signal: AbortSignal): Promise<void> {
    if (decided.undos.size === 0) return;
    const { work, ledger, control, limiter } = this.#options;
    await this.#takeOver(signal);
    control.forget(await undoWanted(decided, ledger, { ...work, limiter }, this.#retries, signal));
  }

  /** @returns whether there is more to do at once. */
  async #decide(
    proposals: readonly Proposal[],
    decided: ControlState,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { work, contexts, onEvent } = this.#options;
    const all = await this.#applicants(proposals, decided, signal);
    const items = all.filter((it) => !isRestoring(it));
    const judged = items
      .filter((it) => it.mode !== 'observe' || it.approval !== undefined)
      .map((it) => it.finding);
    const context = await contexts.of(judged, decided, signal);
    await this.#restore(all.filter(isRestoring), context, signal);
    const isStillValid = validityOf(decided, context, this.#options, signal);
    const admission = admit(items, context);
    await recordStaying(admission, this.#options);
    if (admission.admitted.length > 0) await this.#takeOver(signal);
    const due = this.#runner.due(admission.admitted);
    const performed = await this.#runner.run(due.slice(0, MOST_PER_DECISION), isStillValid, signal);
    await work.publish(signal);
    onEvent({
      type: 'turn',
      items: items.length,
      performed,
      unsettled: this.#retries.unsettled(),
    });
    return performed < due.length;
  }

  async #takeOver(signal: AbortSignal): Promise<void> {
    if (!this.#hasLock) await this.#options.work.systems.northbound.takeOver(signal);
    this.#hasLock = true;
  }
}

/** Records what stays, and publishes the plans of which nothing is done. */
async function recordStaying(
  { rejected, aborted }: Admission<Item>,
  { work, onEvent }: WorkerOptions,
): Promise<void> {
  await recordOnce(
    work.ledger,
    rejected.map(({ applicant, decision: { state, code, reason } }) => [
      applicant,
      { state, code, reason },
    ]),
  );
  for (const plan of aborted) onEvent({ type: 'aborted', plan });
}

/**
 * Whether what is let through now may still be done. Once a person decided something, or decisions
 * cannot be read, or the time may be another, everything is decided again. A freeze or a window is
 * read by the clock of that moment: reading what decides takes a while, and the clock may be set.
 */
function validityOf(
  decided: ControlState,
  context: GateContext,
  { control, clock }: WorkerOptions,
  signal: AbortSignal,
): () => boolean {
  const at = clock().getTime();
  return () =>
    !signal.aborted &&
    control.state() === decided &&
    control.age() <= DECIDED_WITHIN_MS &&
    Math.abs(clock().getTime() - at) <= DECISION_VALID_MS &&
    firstRefusal({ ...context, now: clock().getTime(), yielding: undefined }) === undefined;
}

/**
 * What is not to be mended here: the cluster is another executor's, or trying again cannot help.
 */
const endsWork = (error: unknown): boolean =>
  retryOf(error, 'never') === 'never' ||
  (error instanceof Failure && (error.code === 'log-partition-lost' || error.code === 'fenced'));

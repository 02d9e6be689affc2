import { pause } from '@ovn-steward/shared/pause';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { between } from '@ovn-steward/shared/jitter';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import type { KubeAccess } from '@ovn-steward/systems/kubernetes/kube-request';
import { Election, type HeldLease } from './election';
import { leaseClient, type LeasePlace } from './lease-client';

export type LeaseEvent =
  /** Another process holds the Lease; emitted once for each holder. */
  | { readonly type: 'waiting'; readonly holder: string }
  | { readonly type: 'leading'; readonly term: number }
  | { readonly type: 'lease-failed'; readonly error: string; readonly retryInMs: number }
  /** The work is being stopped. */
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'released' };

export interface LeaderOptions extends LeasePlace {
  readonly access: KubeAccess;
  /** Unique to this process: host name and something random. */
  readonly identity: string;
  /**
   * How long the others wait for a holder that fell silent. Two thirds of it without a renewal, and
   * the work is stopped.
   */
  readonly durationMs: number;
  /** For metrics and logs; must not throw. */
  readonly onEvent?: (event: LeaseEvent) => void;
  /** Milliseconds that only grow, whatever is done to the clock: all decisions are by this one. */
  readonly monotonic?: () => number;
  /** What the Lease shows to people. */
  readonly wall?: () => Date;
}

/**
 * Resolves soon after its signal fired, having stopped; may resolve before, when there is nothing
 * more to do.
 */
export type LeaderWork = (term: number, signal: AbortSignal) => Promise<void>;

/** Attempts in a duration: as client-go's leaderelection has 2 s for 15. */
const ATTEMPTS = 7.5;

/**
 * Runs work while holding a Lease, so that of all who do this with the same Lease one works at a
 * time: see `Election` for who gets it. The *term* given to the work is greater than that of
 * any holder before.
 *
 * When renewing fails for two thirds of the duration, or another process holds the Lease, the
 * work's signal fires; once the work has ended the Lease is tried for again. When `signal` fires
 * the work's signal does, too; the Lease is kept until the work has ended, then given back.
 * Resolves when the work did or the signal fired; throws what the work throws, the Lease given
 * back.
 *
 * @throws Failure `leadership-lost` when the work has not stopped before others may begin theirs:
 *   end the process at once.
 */
export async function runAsLeader(
  options: LeaderOptions,
  work: LeaderWork,
  signal: AbortSignal,
): Promise<void> {
  const {
    access,
    namespace,
    name,
    identity,
    durationMs,
    onEvent,
    monotonic = () => performance.now(),
    wall = () => new Date(),
  } = options;
  const client = leaseClient(
    access,
    { namespace, name },
    Math.ceil(Math.min(durationMs / 3, 5000)),
  );
  const title = `${namespace}/${name}`;
  const turn: Turn = {
    election: new Election({ client, title, identity, durationMs, monotonic, wall }),
    title,
    durationMs,
    monotonic,
    emit: (event) => onEvent?.(event),
  };
  while (!signal.aborted) {
    const held = await acquire(turn, signal);
    if (!held) return;
    const lost = new AbortController();
    const term = held.seen.record.transitions + 1;
    turn.emit({ type: 'leading', term });
    const working = settled(work(term, AbortSignal.any([signal, lost.signal])));
    const { last, reason } = await keep(turn, held, working.done);
    if (reason === undefined) {
      await release(turn, last);
    } else {
      turn.emit({ type: 'lost', reason });
      lost.abort();
      await endedInTime(working.done, last.renewedAt + durationMs * 0.95 - monotonic());
    }
    const { error } = await working.result;
    if (error !== undefined) throw error.cause;
    if (reason === undefined) return;
  }
}

interface Turn {
  readonly election: Election;
  readonly title: string;
  readonly durationMs: number;
  readonly monotonic: () => number;
  readonly emit: (event: LeaseEvent) => void;
}

interface Settled {
  readonly result: Promise<{ readonly error?: { readonly cause: unknown } }>;
  /** Fires when the result is there. */
  readonly done: AbortSignal;
}

function settled(promise: Promise<void>): Settled {
  const done = new AbortController();
  const result = promise
    .then(
      () => ({}),
      (cause: unknown) => ({ error: { cause } }),
    )
    .finally(() => done.abort());
  return { result, done: done.signal };
}

async function endedInTime(done: AbortSignal, ms: number): Promise<void> {
  await pause(Math.max(0, ms), done);
  if (!done.aborted)
    throw new Failure(
      'leadership-lost',
      'Another collector may begin now, and this one has not stopped working yet: this process ends.',
    );
}

async function acquire(
  { election, durationMs, emit }: Turn,
  signal: AbortSignal,
): Promise<HeldLease | undefined> {
  let reported: string | undefined;
  while (!signal.aborted) {
    const waitMs = (durationMs / ATTEMPTS) * between(1, 1.2);
    try {
      const held = await election.tryToAcquire(signal);
      if (held) return held;
      if (election.holder() !== reported) emit({ type: 'waiting', holder: election.holder() });
      reported = election.holder();
    } catch (error) {
      if (!signal.aborted)
        emit({ type: 'lease-failed', error: messageOf(error), retryInMs: Math.round(waitMs) });
    }
    await pause(waitMs, signal);
  }
  return undefined;
}

/** Renews until `done` fires, or until the Lease is lost, for the reason given. */
async function keep(
  { election, title, durationMs, monotonic, emit }: Turn,
  held: HeldLease,
  done: AbortSignal,
): Promise<{ readonly last: HeldLease; readonly reason?: string }> {
  let last = held;
  let waitMs = durationMs / ATTEMPTS;
  const leftMs = (): number => last.renewedAt + (durationMs * 2) / 3 - monotonic();
  for (;;) {
    await pause(Math.max(0, Math.min(waitMs, leftMs())), done);
    if (done.aborted) return { last };
    if (leftMs() <= 0) return { last, reason: `the Lease ${title} could not be renewed in time` };
    try {
      const renewed = await election.renew(last, timeLimit(Math.ceil(leftMs()), done));
      if (!renewed)
        return { last, reason: `the Lease ${title} is ${election.holder() || 'nobody'}'s now` };
      last = renewed;
      waitMs = durationMs / ATTEMPTS;
    } catch (error) {
      if (done.aborted) return { last };
      waitMs = durationMs / ATTEMPTS / 4;
      emit({ type: 'lease-failed', error: messageOf(error), retryInMs: Math.round(waitMs) });
    }
  }
}

/** Gives it back, so that the others need not wait; if that fails, they wait. */
async function release({ election, emit }: Turn, held: HeldLease): Promise<void> {
  try {
    if (await election.release(held, timeLimit(2000))) emit({ type: 'released' });
  } catch (error) {
    emit({ type: 'lease-failed', error: messageOf(error), retryInMs: 0 });
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { KubeAccess } from '../sources/kubernetes/kube-request';
import { leaseClient, type LeaseClient, type LeasePlace } from './lease-client';
import { heldSpec, releasedSpec, type SeenLease } from './lease-record';

export type LeaseEvent =
  /** Somebody else has it; told once for each. */
  | { readonly type: 'waiting'; readonly holder: string }
  | { readonly type: 'leading'; readonly term: number }
  | { readonly type: 'lease-failed'; readonly error: string; readonly retryInMs: number }
  /** The work is being stopped. */
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'released' };

export interface LeaderOptions extends LeasePlace {
  readonly access: KubeAccess;
  /** Nobody else's, ever: host name and something random. */
  readonly identity: string;
  /** How long the others wait for a holder that fell silent. Two thirds of it without a renewal, and the work is stopped. */
  readonly durationMs: number;
  /** For metrics and logs; must not throw. */
  readonly onEvent?: (event: LeaseEvent) => void;
  /** Milliseconds that only grow, whatever is done to the clock: all decisions are by this one. */
  readonly monotonic?: () => number;
  /** What the Lease shows to people. */
  readonly wall?: () => Date;
}

/** Resolves soon after its signal fired, having stopped; may resolve before, when there is nothing more to do. */
export type LeaderWork = (term: number, signal: AbortSignal) => Promise<void>;

interface Held {
  readonly seen: SeenLease;
  readonly acquiredAt: Date;
  /** By the monotonic clock, before the request was sent that renewed it: the others count from later. */
  readonly renewedAt: number;
}

/** Attempts in a duration: as client-go's leaderelection has 2 s for 15. */
const ATTEMPTS = 7.5;

/**
 * Runs work while holding a Lease, so that of all who do this with the same Lease one works at a time (the protocol of client-go's
 * tools/leaderelection). A Lease is free when it has no holder, or when we have seen nothing written to it for as long as its holder asked for;
 * clocks are never compared. The *term* given to the work is greater than that of any holder before.
 *
 * When renewing fails for two thirds of the duration, or somebody else has the Lease, the work's signal fires; once the work has ended the
 * Lease is tried for again. When `signal` fires the work's signal does, too; the Lease is kept until the work has ended, then given back.
 * Resolves when the work did or the signal fired; throws what the work throws, the Lease given back.
 *
 * @throws Failure `leadership-lost` when the work has not stopped before others may begin theirs: end the process at once.
 */
export async function runAsLeader(options: LeaderOptions, work: LeaderWork, signal: AbortSignal): Promise<void> {
  const election = createElection(options);
  while (!signal.aborted) {
    const held = await election.acquire(signal);
    if (!held) return;
    const lost = new AbortController();
    const term = held.seen.record.transitions + 1;
    options.onEvent?.({ type: 'leading', term });
    const working = settled(work(term, AbortSignal.any([signal, lost.signal])));
    const kept = await election.keep(held, working.done);
    if (kept === 'lost') {
      lost.abort();
      await endedInTime(working.done, election.msUntilOthers());
    } else {
      await election.release(kept);
    }
    const { error } = await working.result;
    if (error !== undefined) throw error.cause;
    if (kept !== 'lost') return;
  }
}

interface Settled {
  readonly result: Promise<{ readonly error?: { readonly cause: unknown } }>;
  /** Fires when the result is there. */
  readonly done: AbortSignal;
}

function settled(promise: Promise<void>): Settled {
  const done = new AbortController();
  const result = promise.then(() => ({}), (cause: unknown) => ({ error: { cause } })).finally(() => done.abort());
  return { result, done: done.signal };
}

async function endedInTime(done: AbortSignal, ms: number): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal: done }).catch(() => undefined);
  if (!done.aborted) throw new Failure('leadership-lost', 'Another collector may begin now, and this one has not stopped working yet: this process ends.');
}

function createElection({ access, namespace, name, identity, durationMs, onEvent, monotonic = () => performance.now(), wall = () => new Date() }: LeaderOptions) {
  const retryMs = durationMs / ATTEMPTS;
  const client: LeaseClient = leaseClient(access, { namespace, name }, Math.ceil(Math.min(durationMs / 3, 5000)));
  /** The Lease as last seen to change, and when. It outlives the Lease: one that was removed may still be somebody's. */
  let observed: { seen: SeenLease; at: number } | undefined;
  let lastRenewal = -Infinity;

  const observe = (seen: SeenLease): void => {
    if (observed?.seen.resourceVersion !== seen.resourceVersion) observed = { seen, at: monotonic() };
  };
  const isFree = (): boolean => {
    if (!observed || observed.seen.record.holder === '' || observed.seen.record.holder === identity) return true;
    return monotonic() - observed.at >= (observed.seen.record.durationMs ?? durationMs);
  };
  const spec = (transitions: number, acquiredAt: Date): Record<string, unknown> => heldSpec({ identity, durationMs, transitions, acquiredAt, renewedAt: wall() });

  /** One attempt: the Lease, when it is ours now. */
  const tryToAcquire = async (signal: AbortSignal): Promise<Held | undefined> => {
    const current = await client.read(signal);
    if (current) observe(current);
    if (!isFree()) return undefined;
    const before = observed?.seen.record;
    const transitions = before === undefined ? 0 : before.transitions + (before.holder === identity ? 0 : 1);
    const [renewedAt, acquiredAt] = [monotonic(), wall()];
    const seen = await (current ? client.replace(current, spec(transitions, acquiredAt), signal) : client.create(spec(transitions, acquiredAt), signal));
    if (!seen) return undefined;
    observe(seen);
    return { seen, acquiredAt, renewedAt };
  };

  const acquire = async (signal: AbortSignal): Promise<Held | undefined> => {
    let told: string | undefined;
    while (!signal.aborted) {
      const waitMs = retryMs * (1 + 0.2 * Math.random());
      try {
        const held = await tryToAcquire(signal);
        if (held) {
          lastRenewal = held.renewedAt;
          return held;
        }
        const holder = observed?.seen.record.holder ?? '';
        if (holder !== told) onEvent?.({ type: 'waiting', holder });
        told = holder;
      } catch (error) {
        if (!signal.aborted) onEvent?.({ type: 'lease-failed', error: messageOf(error), retryInMs: Math.round(waitMs) });
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  };

  /** One attempt: the Lease renewed, or undefined when it is somebody else's. */
  const renew = async ({ seen, acquiredAt }: Held, signal: AbortSignal): Promise<Held | undefined> => {
    const renewedAt = monotonic();
    const wanted = spec(seen.record.transitions, acquiredAt);
    const replaced = await client.replace(seen, wanted, signal);
    if (replaced) return { seen: replaced, acquiredAt, renewedAt };
    const current = await client.read(signal); // somebody wrote to it, or removed it
    if (current) observe(current);
    if (current && current.record.holder !== identity) return undefined;
    const again = await (current ? client.replace(current, wanted, signal) : client.create(wanted, signal));
    if (!again) throw new Failure('source-unreachable', `Somebody else writes to the Lease ${namespace}/${name}, too.`);
    return { seen: again, acquiredAt, renewedAt };
  };

  /** Renews until `done` fires, then gives what is held; or until it is lost. */
  const keep = async (held: Held, done: AbortSignal): Promise<Held | 'lost'> => {
    const lose = (reason: string): 'lost' => {
      onEvent?.({ type: 'lost', reason });
      return 'lost';
    };
    let current = held;
    let waitMs = retryMs;
    for (;;) {
      const leftMs = (): number => current.renewedAt + (durationMs * 2) / 3 - monotonic();
      await sleep(Math.max(0, Math.min(waitMs, leftMs())), undefined, { signal: done }).catch(() => undefined);
      if (done.aborted) return current;
      if (leftMs() <= 0) return lose(`the Lease ${namespace}/${name} could not be renewed in time`);
      try {
        const renewed = await renew(current, AbortSignal.any([done, AbortSignal.timeout(Math.ceil(leftMs()))]));
        if (!renewed) return lose(`the Lease ${namespace}/${name} is ${observed?.seen.record.holder || 'nobody'}'s now`);
        observe(renewed.seen);
        lastRenewal = renewed.renewedAt;
        current = renewed;
        waitMs = retryMs;
      } catch (error) {
        if (done.aborted) return current;
        waitMs = retryMs / 4;
        onEvent?.({ type: 'lease-failed', error: messageOf(error), retryInMs: Math.round(waitMs) });
      }
    }
  };

  /** Gives it back, so that nobody has to wait; if that fails, they wait. */
  const release = async ({ seen }: Held): Promise<void> => {
    const signal = AbortSignal.timeout(2000);
    const spec = releasedSpec(seen.record.transitions, wall());
    try {
      let released = await client.replace(seen, spec, signal);
      const current = released ? undefined : await client.read(signal); // a renewal that was under way has arrived
      if (current?.record.holder === identity) released = await client.replace(current, spec, signal);
      if (!released) return;
      observe(released);
      onEvent?.({ type: 'released' });
    } catch (error) {
      onEvent?.({ type: 'lease-failed', error: messageOf(error), retryInMs: 0 });
    }
  };

  return { acquire, keep, release, msUntilOthers: (): number => lastRenewal + durationMs * 0.95 - monotonic() };
}

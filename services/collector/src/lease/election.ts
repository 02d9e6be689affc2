import { Failure } from '@ovn-steward/shared/errors';
import type { LeaseClient } from './lease-client';
import { heldSpec, releasedSpec, type SeenLease } from './lease-record';

export interface ElectionOptions {
  readonly client: LeaseClient;
  /** Of the Lease, for messages. */
  readonly title: string;
  readonly identity: string;
  readonly durationMs: number;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  readonly wall: () => Date;
}

/** The Lease while it is ours. */
export interface HeldLease {
  readonly seen: SeenLease;
  readonly acquiredAt: Date;
  /**
   * By the monotonic clock, before the request was sent that renewed it: the others count from
   * later.
   */
  readonly renewedAt: number;
}

/**
 * Single attempts at a Lease, each throwing the client's Failures, and what is remembered between
 * them.
 */
export interface Election {
  /** The Lease, when it was free and is ours now. */
  tryToAcquire(signal: AbortSignal): Promise<HeldLease | undefined>;
  /** The Lease renewed, or undefined when another holds it. */
  renew(held: HeldLease, signal: AbortSignal): Promise<HeldLease | undefined>;
  /** Gives it back; false when it was not ours any more. */
  release(held: HeldLease, signal: AbortSignal): Promise<boolean>;
  /** The holder when the Lease was last seen; empty for none. */
  holder(): string;
}

/**
 * The protocol of client-go's tools/leaderelection. A Lease is free when it has no holder, or when
 * nothing written to it was seen for the duration that its holder set; clocks are never compared.
 */
export function createElection({
  client,
  title,
  identity,
  durationMs,
  monotonic,
  wall,
}: ElectionOptions): Election {
  /**
   * The Lease as last seen to change, and when. It outlives the Lease: one that was removed may
   * still have a holder.
   */
  let observed: { seen: SeenLease; at: number } | undefined;

  const observe = (seen: SeenLease): void => {
    if (observed?.seen.resourceVersion !== seen.resourceVersion)
      observed = { seen, at: monotonic() };
  };
  const isFree = (): boolean => {
    if (!observed || observed.seen.record.holder === '' || observed.seen.record.holder === identity)
      return true;
    return monotonic() - observed.at >= (observed.seen.record.durationMs ?? durationMs);
  };
  const spec = (transitions: number, acquiredAt: Date): Record<string, unknown> =>
    heldSpec({ identity, durationMs, transitions, acquiredAt, renewedAt: wall() });

  return {
    async tryToAcquire(signal) {
      const current = await client.read(signal);
      if (current) observe(current);
      if (!isFree()) return undefined;
      const before = observed?.seen.record;
      const transitions =
        before === undefined ? 0 : before.transitions + (before.holder === identity ? 0 : 1);
      const [renewedAt, acquiredAt] = [monotonic(), wall()];
      const seen = await (current
        ? client.replace(current, spec(transitions, acquiredAt), signal)
        : client.create(spec(transitions, acquiredAt), signal));
      if (!seen) return undefined;
      observe(seen);
      return { seen, acquiredAt, renewedAt };
    },

    async renew({ seen, acquiredAt }, signal) {
      const renewedAt = monotonic();
      const wanted = spec(seen.record.transitions, acquiredAt);
      let renewed = await client.replace(seen, wanted, signal);
      if (!renewed) {
        const current = await client.read(signal); // another wrote to it, or removed it
        if (current) observe(current);
        if (current && current.record.holder !== identity) return undefined;
        renewed = await (current
          ? client.replace(current, wanted, signal)
          : client.create(wanted, signal));
      }
      if (!renewed)
        throw new Failure('source-unreachable', `Somebody else writes to the Lease ${title}, too.`);
      observe(renewed);
      return { seen: renewed, acquiredAt, renewedAt };
    },

    async release({ seen }, signal) {
      const wanted = releasedSpec(seen.record.transitions, wall());
      let released = await client.replace(seen, wanted, signal);
      const current = released ? undefined : await client.read(signal); // a renewal that was under way has arrived
      if (current?.record.holder === identity)
        released = await client.replace(current, wanted, signal);
      if (released) observe(released);
      return released !== undefined;
    },

    holder: () => observed?.seen.record.holder ?? '',
  };
}

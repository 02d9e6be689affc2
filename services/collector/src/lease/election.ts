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
 * them. The protocol is that of client-go's tools/leaderelection: a Lease is free when it has no
 * holder, or when nothing written to it was seen for the duration that its holder set; clocks are
 * never compared.
 */
export class Election {
  readonly #options: ElectionOptions;
  /**
   * The Lease as last seen to change, and when. It outlives the Lease: one that was removed may
   * still have a holder.
   */
  #observed: { readonly seen: SeenLease; readonly at: number } | undefined;

  constructor(options: ElectionOptions) {
    this.#options = options;
  }

  /** The Lease, when it was free and is ours now. */
  async tryToAcquire(signal: AbortSignal): Promise<HeldLease | undefined> {
    const { client, identity, monotonic, wall } = this.#options;
    const current = await client.read(signal);
    if (current) this.#observe(current);
    if (!this.#isFree()) return undefined;
    const before = this.#observed?.seen.record;
    const transitions =
      before === undefined ? 0 : before.transitions + (before.holder === identity ? 0 : 1);
    const renewedAt = monotonic();
    const acquiredAt = wall();
    const seen = await (current
      ? client.replace(current, this.#spec(transitions, acquiredAt), signal)
      : client.create(this.#spec(transitions, acquiredAt), signal));
    if (!seen) return undefined;
    this.#observe(seen);
    return { seen, acquiredAt, renewedAt };
  }

  /** The Lease renewed, or undefined when another holds it. */
  async renew(
    { seen, acquiredAt }: HeldLease,
    signal: AbortSignal,
  ): Promise<HeldLease | undefined> {
    const { client, title, identity, monotonic } = this.#options;
    const renewedAt = monotonic();
    const desired = this.#spec(seen.record.transitions, acquiredAt);
    let renewed = await client.replace(seen, desired, signal);
    if (!renewed) {
      const current = await client.read(signal); // another wrote to it, or removed it
      if (current) this.#observe(current);
      if (current && current.record.holder !== identity) return undefined;
      renewed = await (current
        ? client.replace(current, desired, signal)
        : client.create(desired, signal));
    }
    if (!renewed)
      throw new Failure('source-unreachable', `Somebody else writes to the Lease ${title}, too.`);
    this.#observe(renewed);
    return { seen: renewed, acquiredAt, renewedAt };
  }

  /** Gives it back; false when it was not ours any more. */
  async release({ seen }: HeldLease, signal: AbortSignal): Promise<boolean> {
    const { client, identity, wall } = this.#options;
    const desired = releasedSpec(seen.record.transitions, wall());
    let released = await client.replace(seen, desired, signal);
    const current = released ? undefined : await client.read(signal); // a renewal that was under way has arrived
    if (current?.record.holder === identity)
      released = await client.replace(current, desired, signal);
    if (released) this.#observe(released);
    return released !== undefined;
  }

  /** The holder when the Lease was last seen; empty for none. */
  holder(): string {
    return this.#observed?.seen.record.holder ?? '';
  }

  #observe(seen: SeenLease): void {
    if (this.#observed?.seen.resourceVersion !== seen.resourceVersion)
      this.#observed = { seen, at: this.#options.monotonic() };
  }

  #isFree(): boolean {
    const { identity, durationMs, monotonic } = this.#options;
    if (this.#observed === undefined) return true;
    const { seen, at } = this.#observed;
    if (seen.record.holder === '' || seen.record.holder === identity) return true;
    return monotonic() - at >= (seen.record.durationMs ?? durationMs);
  }

  #spec(transitions: number, acquiredAt: Date): Record<string, unknown> {
    const { identity, durationMs, wall } = this.#options;
    return heldSpec({ identity, durationMs, transitions, acquiredAt, renewedAt: wall() });
  }
}

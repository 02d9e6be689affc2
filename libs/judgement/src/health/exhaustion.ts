import {
  type HoldersByMinute,
  holdersByMinute,
  MINUTE_MS,
  UNDATED,
} from '../tallies/holders-by-minute';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import type { World } from '../world/world';
import type { SubnetHealth } from './subnet-health';

/** How far back records count. */
const WINDOW_MS = 6 * 3600 * 1000;
/** Beyond this, a rate of six hours says nothing. */
const FURTHEST_MS = 365 * 24 * 3600 * 1000;

/** When a subnet will have no address left. */
export type Exhaustion =
  | { readonly is: 'unknown'; readonly reason: string }
  /** Nothing is free now. */
  | { readonly is: 'full' }
  /** No record that is still there was made in the window, or it would take more than a year. */
  | { readonly is: 'none-in-sight' }
  /**
   * If addresses are taken as in the window and none is given back: an upper bound of the pace, so
   * it will hardly be sooner.
   */
  | {
      readonly is: 'growing';
      readonly taken: number;
      readonly windowSeconds: number;
      readonly fullInSeconds: number;
    };

/**
 * A forecast from the records' own creation times: how many that still hold an address of the
 * subnet were made within the last six hours (or since the subnet exists, if that is shorter), in
 * whole minutes. What was given back in that time is not seen, nor is what was taken and given
 * back.
 * @param now RFC 3339, on the sources' clock.
 */
export function exhaustionOf(subnet: SubnetHealth, world: World, now: string): Exhaustion {
  const free = subnet.addresses
    .map((it) => it.free)
    .reduce<bigint | null>(
      (least, it) => (least === null || it === null ? null : it < least ? it : least),
      subnet.addresses[0]?.free ?? null,
    );
  if (subnet.addresses.length === 0) return { is: 'unknown', reason: 'it has no CIDR' };
  if (free === null)
    return {
      is: 'unknown',
      reason: HOLDER_KINDS.every((it) => world.knows(it))
        ? 'its CIDR or excludeIps cannot be read'
        : 'not every kind that holds addresses is known',
    };
  if (free === 0n) return { is: 'full' };
  const end = Date.parse(now);
  if (Number.isNaN(end)) return { is: 'unknown', reason: 'no source said what time it is' };
  const made = world.tallied(holdersByMinute.id, subnet.name) as HoldersByMinute | undefined;
  if (made?.has(UNDATED))
    return { is: 'unknown', reason: 'some record does not say when it was made' };
  const born = Date.parse(
    (
      world.byKey('Subnet', subnet.name).at(-1)?.object as
        { metadata?: { creationTimestamp?: string } } | undefined
    )?.metadata?.creationTimestamp ?? '',
  );
  const window = Math.max(
    MINUTE_MS,
    Math.min(WINDOW_MS, Number.isNaN(born) ? WINDOW_MS : end - born),
  );
  const taken = made ? madeBetween(made, end - window, end) : 0;
  const fullInMs = taken === 0 ? Infinity : (Number(free) / taken) * window;
  if (fullInMs > FURTHEST_MS) return { is: 'none-in-sight' };
  return {
    is: 'growing',
    taken,
    windowSeconds: Math.round(window / 1000),
    fullInSeconds: Math.round(fullInMs / 1000),
  };
}

/**
 * How many were created from one time to another, in milliseconds; all of the first minute, and of
 * the last. Reads as few minutes as possible: of most subnets those that have records, of large
 * ones those requested.
 */
function madeBetween(minutes: HoldersByMinute, first: number, last: number): number {
  const from = Math.floor(first / MINUTE_MS);
  const to = Math.floor(last / MINUTE_MS);
  let count = 0;
  if (minutes.size <= to - from)
    for (const [minute, made] of minutes)
      count += Number(minute) >= from && Number(minute) <= to ? made : 0;
  else for (let at = from; at <= to; at += 1) count += minutes.get(String(at)) ?? 0;
  return count;
}

import type { HolderKind } from '../kube-ovn/address-holders';
import { HOLDER_KINDS, holdingsOf } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';
import { tallyCount } from '../world/tally-count';

export const MINUTE_MS = 60_000;
/** Under this key are those that do not say when they were made. */
export const UNDATED = '';

/**
 * How many of the records of a subnet that are still there were made in each minute, by the minutes
 * since 1970 as text.
 */
export type HoldersByMinute = Map<string, number>;

const minuteOf = ({ object: { metadata } }: Entity<HolderKind>): string => {
  const made = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(made) ? UNDATED : String(Math.floor(made / MINUTE_MS));
};

/**
 * When the holders of addresses of each subnet were created: thousands of records, of which a
 * forecast reads some hundred minutes.
 */
export const holdersByMinute = defineTally<HolderKind, HoldersByMinute>({
  id: 'holders-by-minute',
  kinds: HOLDER_KINDS,
  keys: (holder) => holdingsOf(holder).map((it) => it.subnet),
  start: () => new Map(),
  add: (minutes, holder) => tallyCount(minutes, minuteOf(holder), 1),
  remove: (minutes, holder) => tallyCount(minutes, minuteOf(holder), -1),
});

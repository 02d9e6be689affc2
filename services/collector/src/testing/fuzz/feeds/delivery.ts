import type { Change } from '@ovn-steward/contracts/changes/change';
import { crdNameOf, KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import type { MemoryDatabase } from '@ovn-steward/ovsdb/testing/memory-database';
import type { MemoryObjects } from '@ovn-steward/systems/testing/memory-objects';
import type { Observation } from '../../../source-kit/source';
import type { Feed } from './feed';
import { kubernetesFeed } from './kubernetes-feed';
import { northboundFeed } from './northbound-feed';
import { createChangeStream } from './change-stream';

/** A stream that was silent for so long is read in full, as the collector does: milliseconds. */
const NOTICED_MS = 360_000;

/** How a stream is followed: in step, behind, or not at all. */
type State = 'following' | 'lagging' | 'lost';

/** All that is reported of the two systems, as by one collector, with the faults of the way. */
export interface Delivery {
  readonly names: readonly string[];
  /** Everything that can be reported now. @param now milliseconds since 1970. */
  changes(now: number): readonly Change[];
  /** The watch hangs: what happens is heard later. */
  lag(name: string, now: number): void;
  /** The kind cannot be read any more. */
  lose(name: string, reason: 'forbidden' | 'unreachable', now: number): void;
  /** It is listed again, whatever it was. */
  relist(name: string, now: number): void;
  /** Goes on where it hung. */
  resume(name: string): void;
  /** Whether all that happened was reported. */
  isWhole(): boolean;
  stateOf(name: string): State;
  /** How often it was read in full. */
  listings(name: string): number;
}

export function createDelivery(database: MemoryDatabase, objects: MemoryObjects): Delivery {
  const changes = createChangeStream();
  const feeds = new Map<string, Feed>();
  const states = new Map<string, State>();
  const listings = new Map<string, number>();
  /** Since when those that lag do; milliseconds since 1970. */
  const lagging = new Map<string, number>();
  for (const feed of [
    northboundFeed(database),
    southboundFeed,
    ...KUBERNETES_KINDS.map((kind) => kubernetesFeed(objects, kind)),
  ])
    feeds.set(feed.name, feed);
  const relist = (name: string, now: number): void => {
    const feed = feeds.get(name)!;
    changes.collect(feed.owner, feed.read(now), now);
    states.set(name, 'following');
    listings.set(name, (listings.get(name) ?? 0) + 1);
    lagging.delete(name);
  };
  return {
    names: [...feeds.keys()],
    changes(now) {
      for (const [name, feed] of feeds) {
        const state = states.get(name);
        const since = lagging.get(name) ?? now;
        if (state === undefined || now - since >= NOTICED_MS) relist(name, now);
        else if (state === 'following') changes.collect(feed.owner, feed.news(now), now);
      }
      return changes.take();
    },
    lag(name, now) {
      if (states.get(name) !== 'following') return;
      states.set(name, 'lagging');
      lagging.set(name, now);
    },
    resume(name) {
      if (states.get(name) !== 'lagging') return;
      states.set(name, 'following');
      lagging.delete(name);
    },
    lose(name, reason, now) {
      const { owner, kinds } = feeds.get(name)!;
      const lost: Observation = {
        type: 'unavailable',
        stream: name,
        kinds,
        reason,
        detail: 'drawn',
      };
      changes.collect(owner, [lost], now);
      states.set(name, 'lost');
      lagging.delete(name);
    },
    relist,
    isWhole: () => [...states.values()].every((it) => it === 'following'),
    stateOf: (name) => states.get(name) ?? 'lost',
    listings: (name) => listings.get(name) ?? 0,
  };
}

const SOUTHBOUND = ['Chassis', 'Chassis_Private', 'Encap', 'Port_Binding', 'SB_Global'];

/**
 * Read, and empty: nothing shows that it is that of the Northbound, so that nothing is said by it.
 */
const southboundFeed: Feed = {
  name: 'ovn-sb',
  owner: { id: 'ovn-sb', source: 'ovn-sb' },
  kinds: SOUTHBOUND,
  read: (now) => [
    { type: 'begin', stream: 'ovn-sb', kinds: SOUTHBOUND },
    { type: 'complete', stream: 'ovn-sb', kinds: SOUTHBOUND, cursor: '' },
    { type: 'progress', stream: 'ovn-sb', cursor: '', through: new Date(now).toISOString() },
  ],
  news: (now) => [
    { type: 'progress', stream: 'ovn-sb', cursor: '', through: new Date(now).toISOString() },
  ],
};

/** The definitions of every kind we read that has one. */
export const DEFINITIONS: readonly string[] = KUBERNETES_KINDS.flatMap((it) => crdNameOf(it) ?? []);

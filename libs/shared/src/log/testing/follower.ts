import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaLogEvent, KafkaLogOptions, KafkaTiming } from '../kafka-options';
import { openKafkaLog } from '../kafka-log';
import type { ConsumeOptions, Log, LogBatch, NewRecord, TopicSpec } from '../log';

/** Times that tests can wait for: brokers take no shorter session than six seconds. */
const TEST_TIMING: Partial<KafkaTiming> = {
  sessionMs: 6000,
  heartbeatMs: 500,
  pollMs: 100,
  stallMs: 3000,
  backoffMs: 200,
  requestMs: 5000,
  queryMs: 10_000,
};

const DAY = 86_400_000;
let made = 0;
export const fresh = (what: string): string => `${what}-${process.pid}-${(made += 1)}`;

export const expiring = (partitions: number, name = fresh('followed')): TopicSpec => ({
  name,
  partitions,
  cleanup: 'delete',
  retentionMs: 20 * DAY,
  maxMessageBytes: 1_000_000,
});

export const records = (...keys: string[]): NewRecord[] =>
  keys.map((key) => ({ key, value: 'x', timestamp: Date.now() }));

export async function until(
  condition: () => boolean,
  ms: number,
  what: () => string = () => '',
): Promise<void> {
  for (const end = Date.now() + ms; !condition(); await sleep(5))
    if (Date.now() > end) throw new Error(`waited ${ms} ms ${what()}`);
}

export interface OpenedLog extends Log {
  readonly events: KafkaLogEvent[];
}

/** A log that remembers what it reported. */
export function openLog(
  options: Omit<KafkaLogOptions, 'clientId' | 'replicationFactor'> & {
    readonly replicationFactor?: number;
  },
): OpenedLog {
  const events: KafkaLogEvent[] = [];
  const log = openKafkaLog({
    clientId: 'follower',
    replicationFactor: 1,
    onEvent: (event) => void events.push(event),
    ...options,
    timing: { ...TEST_TIMING, ...options.timing },
  });
  return { ...log, events };
}

/**
 * What a service stores of its reading, in one transaction with its effects: shared by those who
 * take over from each other.
 */
export interface Store {
  readonly positions: Map<number, bigint>;
  readonly keys: Map<number, string[]>;
}

export const newStore = (): Store => ({ positions: new Map(), keys: new Map() });

/** As if everything before had been applied, in partition 0. */
export const storeAt = (position: bigint): Store => ({
  ...newStore(),
  positions: new Map([[0, position]]),
});

export interface Follower {
  readonly store: Store;
  /** Partitions it was asked for, and notified of, in order. */
  readonly asked: number[];
  readonly revoked: number[];
  /** What it holds now. */
  held(): number[];
  /** Every key handed over, of all partitions. */
  readonly seen: string[];
  /** What the reading ended with: undefined when it was asked to. */
  readonly ended: Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Follows one topic, and stores what it sees unless `onBatch` does something else. */
export function follow(
  log: Log,
  topic: string,
  group: string,
  more: Partial<ConsumeOptions> = {},
  store = newStore(),
): Follower {
  const abort = new AbortController();
  const held = new Set<number>();
  const [requested, revoked, seen] = [[], [], []] as [number[], number[], string[]];
  const onBatch = async (batch: LogBatch): Promise<void> => {
    await more.onBatch?.(batch);
    const { partition, records: found, next } = batch;
    seen.push(...found.map(({ key }) => key));
    store.keys.set(partition, [
      ...(store.keys.get(partition) ?? []),
      ...found.map(({ key }) => key),
    ]);
    store.positions.set(partition, next);
  };
  const ended = log
    .consume({
      group,
      topics: [topic],
      signal: abort.signal,
      maxRecords: 100,
      resumeAt(_, partition) {
        requested.push(partition);
        held.add(partition);
        return store.positions.get(partition) ?? 0n;
      },
      onRevoked(_, partition) {
        revoked.push(partition);
        if (!held.delete(partition))
          throw new Error(`partition ${partition} was taken and not held`);
      },
      ...more,
      onBatch,
    })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return {
    store,
    asked: requested,
    revoked,
    seen,
    ended,
    held: () => [...held].sort((a, b) => a - b),
    stop() {
      abort.abort();
      return ended;
    },
  };
}

import { ascendingBy } from '../compare';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompactedTopic, ExpiringTopic, Log, LogRecord, NewRecord, TopicSpec } from './log';

/** What an adapter brings along so that the contract can judge it. One harness serves one test. */
export interface LogHarness {
  /**
   * Opens the log; all logs opened by one harness see the same records. At most one is open at a
   * time.
   */
  open(): Promise<Log>;
  /** The clock that ages are counted by, ms since the epoch. */
  now(): number;
  /**
   * Lets at least `ms` pass, then gives the cleaning that is due the chance to run. May append
   * records with the key `_tick`.
   */
  pass(ms: number): Promise<void>;
  /** Removes everything. */
  end(): Promise<void>;
}

export interface LogContract {
  readonly name: string;
  start(): Promise<LogHarness>;
  /** The scale of lags and retentions in the tests: tiny where the clock is real. */
  readonly lagMs: number;
  /** How long what is due may take to be seen. */
  readonly timeoutMs: number;
  /** Runs of each property. */
  readonly runs: number;
  /** The most steps of a made-up history, each of which may let time pass; 40 by default. */
  readonly steps?: number;
}

/** What a harness may append to make time pass. */
export const TICK = '_tick';
const DAY_MS = 86_400_000;
let topicsMade = 0;
/** A topic name no other test uses. */
export const fresh = (): string => `contract-${process.pid}-${(topicsMade += 1)}`;

export const recordText = (record: LogRecord): string | null => record.value?.toString() ?? null;
/** Keys and values, without the ticks. */
export const brief = (records: readonly LogRecord[]): [string, string | null][] =>
  records.filter(({ key }) => key !== TICK).map((it) => [it.key, recordText(it)]);

export async function readAll(
  log: Log,
  topic: string,
  partition = 0,
  from = 0n,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const { high } = await log.watermarks(topic, partition);
  for (let position = from; ;) {
    const batch = await log.read(topic, partition, position, 100);
    records.push(...batch.records);
    if (batch.next >= high) return records;
    position = batch.next;
  }
}

/** The last value of every key; a tombstone is no value. */
export const foldRecords = (
  records: readonly { key: string; value: Buffer | string | null }[],
): [string, string][] => {
  const state = new Map<string, string>();
  for (const { key, value } of records) {
    if (value === null) state.delete(key);
    else if (key !== TICK) state.set(key, value.toString());
  }
  return [...state].sort(ascendingBy(([key]) => key));
};

/** What the parts of the contract work with; `log` and `harness` are new in every test. */
export interface Bench {
  readonly log: Log;
  readonly harness: LogHarness;
  readonly lagMs: number;
  readonly runs: number;
  readonly steps: number;
  open(): Promise<void>;
  reopen(): Promise<void>;
  compacted(more?: Partial<CompactedTopic>): CompactedTopic;
  expiring(): ExpiringTopic;
  /** Makes a topic, one that is never cleaned by default, and gives its name. */
  topic(spec?: TopicSpec): Promise<string>;
  record(key: string, value?: Buffer | string | null): NewRecord;
  /** Until it no longer throws, for as long as cleaning may take. */
  eventually(check: () => Promise<void>): Promise<void>;
  until(condition: () => boolean): Promise<void>;
}

/** Opens a log before each test of the enclosing `describe`, and removes it afterwards. */
export function createBench({ start, lagMs, timeoutMs, runs, steps = 40 }: LogContract): Bench {
  let harness: LogHarness;
  let log: Log;
  const open = async (): Promise<void> => {
    log = await harness.open();
  };
  beforeEach(async () => {
    harness = await start();
    await open();
  });
  afterEach(async () => {
    await log.close();
    await harness.end();
  });
  const compacted: Bench['compacted'] = (more = {}) => ({
    name: fresh(),
    partitions: 2,
    cleanup: 'compact',
    minCompactionLagMs: 0,
    maxCompactionLagMs: lagMs,
    deleteRetentionMs: 3 * lagMs,
    maxMessageBytes: 100_000,
    ...more,
  });
  return {
    get log() {
      return log;
    },
    get harness() {
      return harness;
    },
    lagMs,
    runs,
    steps,
    open,
    async reopen() {
      await log.close();
      await open();
    },
    compacted,
    expiring: () => ({
      name: fresh(),
      partitions: 1,
      cleanup: 'delete',
      retentionMs: lagMs,
      maxMessageBytes: 100_000,
    }),
    async topic(
      spec = compacted({ minCompactionLagMs: 10 * DAY_MS, maxCompactionLagMs: 20 * DAY_MS }),
    ) {
      await log.ensureTopics([spec]);
      return spec.name;
    },
    record: (key, value = 'x') => ({ key, value, timestamp: harness.now() }),
    async eventually(probe) {
      for (const end = Date.now() + timeoutMs; ; await harness.pass(lagMs / 4)) {
        try {
          return await probe();
        } catch (error) {
          if (Date.now() >= end) throw error;
        }
      }
    },
    async until(condition) {
      for (const end = Date.now() + 20_000 + timeoutMs; !condition(); await sleep(2))
        if (Date.now() > end) throw new Error('waited too long');
    },
  };
}

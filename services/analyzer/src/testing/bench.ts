import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { encodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { FindingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Analyzer } from '../partition/analyzer';
import type { AnalyzedBatch, AnalyzerEvent, AnalyzerOptions } from '../partition/analyzer-options';
import type { PublishedFinding } from '../partition/relay';
import { Checkpoint } from '../store/checkpoint';
import type { Death } from './breaking-log';
import { breakingLog } from './breaking-log';

const GRACE = {
  garbage: 600_000,
  leak: 300_000,
  drift: 0,
  stuck: 0,
  misplaced: 0,
  missing: 0,
  damage: 0,
};

/** Two clusters in one partition. */
export const CLUSTERS = ['test', 'south'] as const;
export const PARTITION = partitionOf(CLUSTERS[0], PARTITIONS);

export interface Observation extends Partial<
  Pick<AnalyzerOptions, 'log' | 'only' | 'isProtected' | 'backOff'>
> {
  /** The checkpoint; `a.db` by default. */
  readonly file?: string;
  /** Without what the checkpoint held. */
  readonly loses?: boolean;
  readonly death?: Death;
}

/** What an analyzer reported while it ran. */
export interface Observed {
  readonly analyzer: Analyzer;
  readonly batches: AnalyzedBatch[];
  readonly events: AnalyzerEvent[];
  readonly published: PublishedFinding[];
  /** `cluster rule state` of all that stands. */
  openFindings(): string[];
}

/**
 * A log with the analyzers that read one partition of it; their checkpoints are files of the
 * folder.
 */
export class Bench {
  /** The analyzers' clock, and the log's. */
  now = Date.parse('2026-01-01T00:00:00Z');
  readonly log: Log = openSqliteLog({ file: ':memory:', now: () => this.now });
  /** Where each append to the changes ended: whoever reads them gets them in these batches. */
  readonly #ends: bigint[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'analyzer-'));

  async begin(): Promise<this> {
    await this.log.ensureTopics(TOPICS);
    return this;
  }

  async end(): Promise<void> {
    await this.log.close();
    rmSync(this.folder, { recursive: true });
  }

  /** As a collector does at that time: nobody's clock is behind what was published. */
  publish(changes: readonly Change[]): Promise<void> {
    this.now = Math.max(this.now, ...changes.map((it) => Date.parse(it.observedAt)));
    return this.append(changes.map((it) => encodeChange(it)[0]!));
  }

  /** Appends to the changes. */
  async append(records: readonly Omit<NewRecord, 'timestamp'>[]): Promise<void> {
    if (records.length > 0)
      this.#ends.push(
        (
          await this.log.append(
            CHANGES,
            PARTITION,
            records.map((it) => ({ ...it, timestamp: this.now })),
          )
        ).next,
      );
  }

  /** Runs until the signal fires. */
  start(
    observe: Observation,
    signal: AbortSignal,
    on: Pick<AnalyzerOptions, 'onBatch' | 'onEvent'> = {},
  ): Observed & { readonly running: Promise<void> } {
    const { file = 'a.db', loses = false, death, ...options } = observe;
    const path = join(this.folder, file);
    if (loses) for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    const reported = {
      batches: [] as AnalyzedBatch[],
      events: [] as AnalyzerEvent[],
      published: [] as PublishedFinding[],
    };
    const analyzer = new Analyzer({
      grace: GRACE,
      version: '1.2.3',
      clock: () => new Date(this.now),
      backOff: () => 1,
      ...options,
      log: breakingLog(observe.log ?? this.log, {
        partition: PARTITION,
        ends: this.#ends,
        ...(death ? { death } : {}),
      }),
      openCheckpoint: (it) => new Checkpoint(path, it),
      onFindings: (it) => reported.published.push(...it),
      onBatch: (batch) => {
        reported.batches.push(batch);
        on.onBatch?.(batch);
      },
      onEvent: (event) => {
        reported.events.push(event);
        on.onEvent?.(event);
      },
    });
    const openFindings = (): string[] =>
      analyzer
        .clusters()
        .flatMap((it) => analyzer.picture(it)!.findings())
        .map((it) => `${it.cluster} ${it.rule} ${it.state}`)
        .sort();
    return { ...reported, analyzer, openFindings, running: analyzer.run(signal) };
  }

  /** Runs until everything is read, or until it dies. */
  async read(observe: Observation = {}): Promise<Observed> {
    const { high } = await (observe.log ?? this.log).watermarks(CHANGES, PARTITION);
    const stop = new AbortController();
    const seen = (position: bigint): void => {
      if (position >= high) stop.abort();
    };
    const observed = this.start(observe, stop.signal, {
      onBatch: (it) => seen(it.next),
      onEvent: (event) => {
        if (event.type === 'partition-opened') seen(event.position);
      },
    });
    await observed.running.catch((error: unknown) => {
      if (!(observe.death && error instanceof Failure && error.code === 'log-closed')) throw error;
    });
    return observed;
  }

  async recordsOf(topic: string): Promise<readonly LogRecord[]> {
    return (await this.log.read(topic, PARTITION, 0n, 1_000_000)).records;
  }

  /** Every finding that was published, tombstones left out. */
  async events(): Promise<FindingEvent[]> {
    return (await this.recordsOf(FINDINGS)).flatMap((it) =>
      it.value === null ? [] : [FindingEvent.parse(JSON.parse(it.value.toString()))],
    );
  }
}

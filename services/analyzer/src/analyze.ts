import type { Finding, FindingClass } from '@ovn-steward/shared/events/finding';
import { findingEvent, FindingEvent } from '@ovn-steward/shared/events/envelope';
import type { Change } from '@ovn-steward/shared/events/change';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log, LogBatch, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, DEAD_LETTER, FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { createEngine } from './create-engine';
import type { Engine } from './engine/engine';
import { readChange } from './read-change';
import type { Checkpoint, Outgoing } from './store/checkpoint';
import type { Entity } from './world/entity';

const GROUP = 'steward-analyzer';
const DAY = 24 * 3600 * 1000;
/** A resolved finding stays readable this long, then its key gets a tombstone. */
const RESOLVED_RETENTION_MS = 30 * DAY;
const RELAY_BATCH = 500;

export interface AnalyzerOptions {
  readonly cluster: string;
  readonly log: Log;
  readonly checkpoint: Checkpoint;
  readonly grace: Readonly<Record<FindingClass, number>>;
  /** Dates what is published: the real time, or a recording's. */
  readonly clock: () => Date;
  readonly isProtected?: (entity: Entity) => boolean;
  /** Told after they are saved, before they are published. Must not throw. */
  readonly onFindings?: (findings: readonly Finding[]) => void;
  /** Told of every batch once all it brought about is published; for metrics. Must not throw. */
  readonly onBatch?: (batch: AnalyzedBatch) => void;
}

/** One batch of the log: its records, how many of them could not be read, and how long it took to judge and publish. */
export interface AnalyzedBatch {
  readonly records: number;
  readonly deadLetters: number;
  readonly seconds: number;
}

/** What the engine knows at this moment, for reading. Ask again rather than keep it: a rebuild starts another engine. */
export type Picture = Pick<Engine, 'findings' | 'resolved' | 'finding' | 'unknowns' | 'streams' | 'world' | 'now'>;

export interface Analyzer {
  /** Follows the changes until the signal fires. @throws Failure that trying again cannot mend. */
  run(signal: AbortSignal): Promise<void>;
  findings(): readonly Finding[];
  picture(): Picture;
}

/**
 * changes → world → rules → findings. One batch is one transaction: state, position and what is to be published move
 * together, so a crash anywhere repeats a batch or a publication and invents neither.
 */
export function createAnalyzer(options: AnalyzerOptions): Analyzer {
  const { cluster, log, checkpoint } = options;
  const partition = partitionOf(cluster, PARTITIONS);
  let engine = createEngine(options);
  /** Records below this offset were written before we started: counts of old snapshots need not agree on a rebuild. */
  let liveFrom = 0n;

  const save = (step: { position: bigint; applied: ReturnType<Engine['apply']>; outgoing?: readonly Omit<Outgoing, 'seq'>[] }): void => {
    const forgotten = engine.forgetResolved(RESOLVED_RETENTION_MS);
    checkpoint.save({
      position: step.position, now: engine.now, moved: step.applied.moved, streams: engine.streams(), findings: step.applied.findings, forgotten,
      outgoing: [
        ...(step.outgoing ?? []),
        ...step.applied.findings.map((it) => ({ topic: FINDINGS, key: it.id, value: JSON.stringify(findingEvent(it)) })),
        ...forgotten.map((id) => ({ topic: FINDINGS, key: id, value: null })),
      ],
    });
    if (step.applied.findings.length > 0) options.onFindings?.(step.applied.findings);
  };

  const relay = async (): Promise<void> => {
    for (let waiting = checkpoint.outgoing(RELAY_BATCH); waiting.length > 0; waiting = checkpoint.outgoing(RELAY_BATCH)) {
      const first = waiting[0]!.topic;
      const run = waiting.slice(0, runLength(waiting, first));
      await log.append(first, partition, run.map((it) => ({ key: it.key, value: it.value, timestamp: options.clock().getTime(), headers: headersOf(it) })));
      checkpoint.sent(run.at(-1)!.seq);
    }
  };

  const start = async (): Promise<void> => {
    engine = createEngine(options);
    const empty = checkpoint.position === 0n;
    liveFrom = empty ? (await log.watermarks(CHANGES, partition)).high : 0n;
    const findings = empty ? await publishedFindings(log, partition, cluster) : checkpoint.findings();
    engine.world.restore(checkpoint.streams(), checkpoint.entities());
    save({ position: checkpoint.position, applied: { moved: [], findings: engine.restore(findings, checkpoint.now) } });
    await relay();
  };

  const onBatch = async (batch: LogBatch): Promise<void> => {
    if (batch.partition !== partition) return;
    const began = performance.now();
    const changes: Change[] = [];
    const outgoing: Omit<Outgoing, 'seq'>[] = [];
    for (const record of batch.records) {
      const read = readChange(record);
      if ('poison' in read) outgoing.push(deadLetter(batch, record, read.poison));
      else if ('change' in read && read.change.cluster === cluster) changes.push(read.change);
    }
    const checked = (batch.records[0]?.offset ?? 0n) >= liveFrom;
    save({ position: batch.next, applied: engine.apply(changes, { checked }), outgoing });
    await relay();
    await log.commit(GROUP, [{ topic: batch.topic, partition, offset: batch.next }]);
    options.onBatch?.({ records: batch.records.length, deadLetters: outgoing.length, seconds: (performance.now() - began) / 1000 });
  };

  return {
    async run(signal) {
      while (!signal.aborted) {
        await start();
        try {
          await log.consume({ group: GROUP, topics: [CHANGES], signal, onBatch, resumeAt: (_, it) => (it === partition ? checkpoint.position : 0n) });
        } catch (error) {
          // What we stopped at is no longer in the log: only a rebuild from its beginning is sound.
          if (!(error instanceof Failure && error.code === 'log-position-lost')) throw error;
          checkpoint.reset();
        }
      }
    },
    findings: () => engine.findings(),
    picture: () => engine,
  };
}

const runLength = (waiting: readonly Outgoing[], topic: string): number => {
  const end = waiting.findIndex((it) => it.topic !== topic);
  return end < 0 ? waiting.length : end;
};

const headersOf = (it: Outgoing): Record<string, string> => (it.topic === FINDINGS && it.value !== null ? { 'content-type': 'application/cloudevents+json' } : {});

const deadLetter = (batch: LogBatch, record: LogRecord, why: string): Omit<Outgoing, 'seq'> => ({
  topic: DEAD_LETTER,
  key: record.key,
  value: JSON.stringify({
    topic: batch.topic, partition: batch.partition, offset: String(record.offset), why, headers: record.headers, value: record.value?.toString('base64') ?? null,
  }),
});

/** Our own findings as last published, so that first-seen times and suspicions survive a lost checkpoint. */
async function publishedFindings(log: Log, partition: number, cluster: string): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  const { high } = await log.watermarks(FINDINGS, partition);
  for (let from = 0n; from < high; ) {
    const batch = await log.read(FINDINGS, partition, from, RELAY_BATCH);
    for (const { key, value } of batch.records) {
      const event = value && FindingEvent.safeParse(JSON.parse(value.toString('utf8')));
      if (event && event.success && event.data.data.cluster === cluster) findings.set(key, event.data.data);
      else findings.delete(key);
    }
    if (batch.next <= from) break;
    from = batch.next;
  }
  return [...findings.values()];
}

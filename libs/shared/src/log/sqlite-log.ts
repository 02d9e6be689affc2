import { Failure } from '../errors';
import type { ConsumeOptions, Log, Position } from './log';
import { createSqliteAppender } from './sqlite-append';
import { type CompactionStep, SqliteCompaction } from './sqlite-compaction';
import { logFailure, onFile } from './sqlite-failure';
import { type LogFile, openLogFile } from './sqlite-file';
import { createSqliteReader } from './sqlite-read';
import { tail } from './sqlite-tail';
import { loadTopics } from './sqlite-topics';
import { createWake } from './wake';

export interface SqliteLogOptions {
  /**
   * The file, made when missing, with its directory; `:memory:` for a log that is deleted when
   * closed. On a local disk.
   */
  readonly file: string;
  /** ms since the epoch; the system's clock by default. */
  readonly now?: () => number;
  /** The file never grows beyond this; then appends fail with `log-full`. No limit by default. */
  readonly maxFileBytes?: number;
}

/** The embedded log. The caller must call `compact` now and then: nothing is cleaned by itself. */
export interface SqliteLog extends Log {
  /**
   * Removes what is due at `now`, a bounded step per call; call again while `more`. Throws as
   * `append` does.
   */
  compact(now: number): CompactionStep;
}

/**
 * Opens the embedded log: one SQLite file, used by one process. Every append is durable when it
 * settles (WAL, synchronous=FULL). Throws Failure `log-locked` (with the other process's pid where
 * known), `log-corrupt`, `log-unavailable`.
 */
export function openSqliteLog({ file, now = Date.now, maxFileBytes }: SqliteLogOptions): SqliteLog {
  const opened = openLogFile(file, maxFileBytes);
  try {
    return onFile(file, () => logOn(opened, file, now));
  } catch (error) {
    opened.close();
    throw error;
  }
}

function logOn(opened: LogFile, file: string, now: () => number): SqliteLog {
  const { db } = opened;
  const ending = new AbortController();
  const appended = createWake();
  const topics = loadTopics(db);
  const read = createSqliteReader(db);
  const compaction = new SqliteCompaction(db, topics);
  const appender = createSqliteAppender(db, {
    now,
    failure: (error) => logFailure(file, error),
    onAppended: appended.notify,
  });
  const saveCommitted = db.prepare(
    'INSERT INTO committed VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "offset" = excluded."offset"',
  );
  const selectCommitted = db.prepare<
    [string],
    { topic: string; partition: number; offset: number }
  >(
    'SELECT topic, partition, "offset" FROM committed WHERE consumer = ? ORDER BY topic, partition',
  );
  const saveAll = db.transaction((group: string, positions: readonly Position[]) =>
    positions.forEach((it) => saveCommitted.run(group, it.topic, it.partition, Number(it.offset))),
  );

  const onLog = <T>(step: () => T): T => {
    if (ending.signal.aborted)
      throw new Failure('log-closed', `The event log ${file} was closed: open it again.`);
    return onFile(file, step);
  };

  return {
    ensureTopics: async (specs) => onLog(() => topics.ensure(specs)),
    append: async (topic, partition, records) =>
      onLog(() => appender.append(topics.partition(topic, partition), records)),
    read: async (topic, partition, from, max) =>
      onLog(() => read(topics.partition(topic, partition), from, max)),
    consume: async (options: ConsumeOptions) => {
      const partitions = onLog(() => options.topics.flatMap((it) => topics.partitionsOf(it)));
      options.onMember?.(true);
      await tail(options, {
        partitions,
        read: (partition, from, max) => onLog(() => read(partition, from, max)),
        appended,
        signal: AbortSignal.any([options.signal, ending.signal]),
      }).finally(() => options.onMember?.(false));
    },
    commit: async (group, positions) => onLog(() => saveAll.immediate(group, positions)),
    committed: async (group) =>
      onLog(() =>
        selectCommitted.all(group).map((row) => ({ ...row, offset: BigInt(row.offset) })),
      ),
    watermarks: async (topic, partition) =>
      onLog(() => {
        const { low, high } = topics.partition(topic, partition);
        return { low: BigInt(low), high: BigInt(high) };
      }),
    compact: (at) => onLog(() => compaction.step(at)),
    async close() {
      if (ending.signal.aborted) return;
      appender.flush();
      ending.abort();
      onFile(file, opened.close);
    },
  };
}

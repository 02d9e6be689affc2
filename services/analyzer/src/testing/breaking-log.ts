import { Failure } from '@ovn-steward/shared/errors';
import type { Log, LogBatch } from '@ovn-steward/shared/log/log';

/** Where a process dies: at its nth write to the log, before it took effect or after. */
export interface Death {
  readonly write: number;
  readonly after: boolean;
}

export interface Reader {
  /** The one partition it is given. */
  readonly partition: number;
  /** Where batches end, whoever reads them and whenever. */
  readonly ends: readonly bigint[];
  readonly death?: Death;
}

/** A log whose user dies at the given write: nothing it does afterwards has any effect. */
export function breakingLog(log: Log, { partition, ends, death }: Reader): Log {
  let writes = 0;
  let dead = false;
  const alive = (): void => {
    if (dead) throw new Failure('log-closed', 'dead');
  };
  const write = async <T>(step: () => Promise<T>): Promise<T> => {
    alive();
    const last = death?.write === writes++;
    if (last && !death?.after) dead = true;
    alive();
    const result = await step();
    if (last) dead = true;
    alive();
    return result;
  };
  return {
    ensureTopics: (specs) => log.ensureTopics(specs),
    append: (topic, at, records) => write(() => log.append(topic, at, records)),
    commit: (group, positions) => write(() => log.commit(group, positions)),
    read: (...args) => log.read(...args),
    committed: (group) => log.committed(group),
    watermarks: (topic, at) => log.watermarks(topic, at),
    consume: (options) =>
      log.consume({
        ...options,
        maxRecords: 1_000_000,
        resumeAt: async (topic, it) =>
          it === partition ? options.resumeAt(topic, it) : (await log.watermarks(topic, it)).high,
        onBatch: async (batch) => {
          for (const piece of cut(batch, ends))
            if (!options.signal.aborted) await options.onBatch(piece);
        },
      }),
    close: async () => undefined,
  };
}

function* cut(batch: LogBatch, ends: readonly bigint[]): Generator<LogBatch> {
  let from = 0n;
  for (const next of [...ends.filter((it) => it < batch.next), batch.next]) {
    const records = batch.records.filter((it) => it.offset >= from && it.offset < next);
    if (records.length > 0) yield { ...batch, records, next };
    from = next;
  }
}

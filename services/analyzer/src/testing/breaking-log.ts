import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';

/** Where a process dies: at its nth write to the log, before it took effect or after. */
export interface Death {
  readonly write: number;
  readonly after: boolean;
}

/** A log whose user is given one partition, in batches as large as what there is, and dies at the given write: nothing it does afterwards has any effect. */
export function breakingLog(log: Log, partition: number, death?: Death, maxRecords = 1_000_000): Log {
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
    append: (topic, partition, records) => write(() => log.append(topic, partition, records)),
    commit: (group, positions) => write(() => log.commit(group, positions)),
    read: (...args) => log.read(...args),
    committed: (group) => log.committed(group),
    watermarks: (topic, partition) => log.watermarks(topic, partition),
    consume: (options) => log.consume({
      ...options,
      maxRecords,
      resumeAt: async (topic, it) => (it === partition ? options.resumeAt(topic, it) : (await log.watermarks(topic, it)).high),
    }),
    close: async () => undefined,
  };
}

import { CHANGES } from '@ovn-steward/shared/log/topics';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { Channel } from './decisions';
import { openLog } from './log';

const MAX_RECORDS = 1000;

/**
 * Every record of changes in the cluster's partition that compaction left on the log, oldest first,
 * up to where it ends now.
 * @throws Failure as reading a log does.
 */
export async function* changesOnLog({ partition, options }: Channel): AsyncGenerator<LogRecord> {
  const log = await openLog(options);
  try {
    const { high } = await log.watermarks(CHANGES, partition);
    for (let from = 0n; from < high;) {
      const { records, next } = await log.read(CHANGES, partition, from, MAX_RECORDS);
      if (records.length === 0 && next === from) return;
      yield* records;
      from = next;
    }
  } finally {
    await log.close();
  }
}

import type { Log } from '@ovn-steward/shared/log/log';
import { CHANGES, CONTROL, PARTITIONS } from '@ovn-steward/shared/log/topics';

const MAX_RECORDS = 500;

/**
 * The clusters that a log has records of, by the keys of the last records of each partition:
 * collectors publish for each cluster every few seconds. A cluster without records for long may be
 * missing.
 * @throws Failure as reading a log does.
 */
export async function clustersOn(
  log: Pick<Log, 'read' | 'watermarks'>,
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const topic of [CHANGES, CONTROL])
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const { low, high } = await log.watermarks(topic, partition);
      if (low >= high) continue;
      const from = high - BigInt(MAX_RECORDS);
      const { records } = await log.read(topic, partition, from > low ? from : low, MAX_RECORDS);
      for (const { key } of records) {
        const slash = key.indexOf('/');
        if (slash > 0) names.add(key.slice(0, slash));
      }
    }
  return [...names].sort();
}

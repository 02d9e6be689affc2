import type { Log } from '@ovn-steward/shared/log/log';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { Analyzers } from './analyzers';

/**
 * Settles when all that the log has now is judged.
 * @returns how many records there are.
 */
export async function allJudged(log: Log, analyzers: Analyzers): Promise<number> {
  let records = 0n;
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const { high } = await log.watermarks(CHANGES, partition);
    records += high;
    await analyzers.until((it) => it.partition === partition && BigInt(it.next) >= high);
  }
  return Number(records);
}

import { join } from 'node:path';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { FindingsTable } from '@ovn-steward/contracts/findings/findings-table';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import { FILES } from './state-files';
import type { Channel } from './decisions';
import { openLog } from './log';

const MAX_RECORDS = 1000;

/** The findings of a cluster as its log or its pipeline's memory has them, resolved ones among them. @throws Failure `input-not-found`, and as reading a log does. */
export async function knownFindings({
  cluster,
  partition,
  stateDir,
  server,
  options,
}: Channel): Promise<readonly Finding[]> {
  if (server !== undefined) return (await server.findings()).filter((it) => it.cluster === cluster);
  if (stateDir !== undefined)
    return readCheckpoint(join(stateDir, FILES.checkpoint)).findings.filter(
      (it) => it.cluster === cluster,
    );
  const table = new FindingsTable();
  const log = await openLog(options);
  try {
    for (let from = 0n; ;) {
      const { records, next } = await log.read(FINDINGS, partition, from, MAX_RECORDS);
      if (records.length === 0 && next === from)
        return table.findings().filter((it) => it.cluster === cluster);
      for (const record of records) table.take(partition, record);
      from = next;
    }
  } finally {
    await log.close();
  }
}

import { join } from 'node:path';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
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
  const found = new Map<string, Finding>();
  const log = await openLog(options);
  try {
    for (let from = 0n; ;) {
      const { records, next } = await log.read(FINDINGS, partition, from, MAX_RECORDS);
      if (records.length === 0 && next === from) return [...found.values()];
      for (const record of records) {
        const read = decodeFinding(partition, record);
        if ('finding' in read && read.finding.cluster === cluster)
          found.set(read.finding.id, read.finding);
        else if ('forgotten' in read) found.delete(read.forgotten);
      }
      from = next;
    }
  } finally {
    await log.close();
  }
}

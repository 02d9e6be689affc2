import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { eachRecord } from '@ovn-steward/shared/log/sqlite-topic-history';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import { relatedTo } from '../timeline/related';
import type { SeenChange } from '../timeline/seen-change';
import { changesOnLog } from './changes-on-log';
import type { Channel } from './decisions';
import { FILES } from './state-files';

/**
 * The changes on the log that may have to do with a finding, oldest first, as far back as
 * compaction left them: from a state folder, beside a pipeline that runs, or from Kafka.
 */
export async function changesAbout(
  finding: Finding,
  { stateDir, cluster, ...channel }: Channel,
): Promise<readonly SeenChange[]> {
  const isRelated = relatedTo(finding);
  const seen: SeenChange[] = [];
  const take = (record: Pick<LogRecord, 'key' | 'value' | 'timestamp'>, position: string): void => {
    if (!record.key.startsWith(`${cluster}/`)) return;
    const read = decodeChange({ ...record, headers: {} });
    if ('change' in read && 'uid' in read.change && isRelated(read.change))
      seen.push({ change: read.change, position });
  };
  if (stateDir !== undefined)
    eachRecord(join(stateDir, FILES.log), CHANGES, (it) =>
      take(it, `${CHANGES}/${it.partition}/${it.offset}`),
    );
  else
    for await (const it of changesOnLog({ stateDir, cluster, ...channel }))
      take(it, `${CHANGES}/${channel.partition}/${it.offset}`);
  return seen;
}

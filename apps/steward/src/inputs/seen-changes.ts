import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import { isAfter, type StreamPosition } from '@ovn-steward/contracts/changes/is-after';
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
 * compaction left them: from a state folder, beside a pipeline that runs, or from Kafka. What is
 * not newer than what stands before it of the same thing is left out, as every reader drops it: it
 * was sent again from the dead letters, or by a collector that was replaced.
 */
export async function changesAbout(
  finding: Finding,
  { stateDir, cluster, ...channel }: Channel,
): Promise<readonly SeenChange[]> {
  const isRelated = relatedTo(finding);
  const seen: SeenChange[] = [];
  const newest = new Map<string, StreamPosition>();
  const take = (record: Pick<LogRecord, 'key' | 'value' | 'timestamp'>, position: string): void => {
    if (!record.key.startsWith(`${cluster}/`)) return;
    const read = decodeChange({ ...record, headers: {} });
    if (!('change' in read && 'uid' in read.change && isRelated(read.change))) return;
    if (!isAfter(read.change, newest.get(record.key))) return;
    newest.set(record.key, read.change);
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

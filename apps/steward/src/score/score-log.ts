import { join } from 'node:path';
import { readChange } from '@ovn-steward/analyzer';
import type { Score } from '@ovn-steward/judgement/score/score';
import { Failure } from '@ovn-steward/shared/errors';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { eachRecord } from '@ovn-steward/shared/log/sqlite-topic-history';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import { changesOnLog } from '../inputs/changes-on-log';
import type { Channel } from '../inputs/decisions';
import { FILES } from '../inputs/state-files';
import { graded } from './graded';

/**
 * Grades what compaction left of the changes on a log: of a state folder, beside a pipeline that
 * runs, or of Kafka.
 *
 * @throws Failure `input-not-found` where nothing is known of the cluster, and as reading does.
 */
export async function scoreLog(channel: Channel, dueMs?: number): Promise<Score> {
  const { cluster, stateDir, config } = channel;
  const grading = graded(config, dueMs);
  const take = (record: LogRecord, partition: number): void => {
    const read = readChange(record, { topic: CHANGES, partition });
    if ('input' in read && read.input !== undefined && read.cluster === cluster)
      grading.apply([read.input], { checked: false });
  };
  if (stateDir === undefined)
    for await (const it of changesOnLog(channel)) take(it, channel.partition);
  else
    eachRecord(join(stateDir, FILES.log), CHANGES, (it) =>
      take({ ...it, offset: BigInt(it.offset), headers: {} }, it.partition),
    );
  const score = grading.scorecard.score();
  if (score.through === '')
    throw new Failure(
      'input-not-found',
      `Nothing is known of the cluster ${cluster}: name the one that is meant with --cluster, and see whether its collector runs.`,
    );
  return score;
}

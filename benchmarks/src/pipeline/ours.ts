import { join } from 'node:path';
import { Checkpoint, Analyzer } from '@ovn-steward/analyzer';
import { collectIntoLog, sqliteMirror } from '@ovn-steward/collector';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { historyOf } from './history';
import type { Assignment } from './task';

const CLUSTER = 'bench';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);

const kafkaLog = ({ brokers, role }: Assignment): Log =>
  openKafkaLog({ brokers, clientId: `bench-${role}`, replicationFactor: 1 });

async function collecting(
  log: Log,
  { world, churn, folder }: Assignment,
): Promise<() => Promise<number>> {
  const { sources } = await historyOf(world, churn);
  const mirror = sqliteMirror(join(folder, 'collector.db'));
  return async () => {
    await collectIntoLog(
      { cluster: CLUSTER, sources, mirror, log, clock: () => new Date() },
      new AbortController().signal,
    );
    return Number((await log.watermarks(CHANGES, PARTITION)).high);
  };
}

/**
 * Settles when everything that is in the log by `upTo` was judged, and what it brought about
 * published.
 */
function analyzing(log: Log, { folder }: Assignment): { reached(upTo: number): Promise<void> } {
  const { grace } = Settings.parse({ cluster: CLUSTER });
  let judged = 0;
  let wanted = Infinity;
  let finish = (): void => undefined;
  const analyzer = new Analyzer({
    log,
    grace,
    version: '0.0.0',
    clock: () => new Date(),
    only: CLUSTER,
    openCheckpoint: (partition) => new Checkpoint(join(folder, 'analyzer.db'), partition),
    onBatch: ({ records }) => {
      judged += records;
      if (judged >= wanted) finish();
    },
  });
  void analyzer.run(new AbortController().signal);
  return {
    reached: (upTo) =>
      new Promise((resolve) => {
        wanted = upTo;
        finish = resolve;
        if (judged >= wanted) resolve();
      }),
  };
}

export async function collect(assignment: Assignment): Promise<() => Promise<number>> {
  const log = kafkaLog(assignment);
  await log.ensureTopics(TOPICS);
  return collecting(log, assignment);
}

/**
 * Judges from the first moment on; how much there will be it learns from the collector, when that
 * is done.
 */
export async function analyze(assignment: Assignment): Promise<() => Promise<number>> {
  const log = kafkaLog(assignment);
  await log.ensureTopics(TOPICS);
  const work = analyzing(log, assignment);
  return async () => {
    const records = await new Promise<number>((resolve) =>
      process.on('message', (message: { records?: number }) => {
        if (message.records !== undefined) resolve(message.records);
      }),
    );
    await work.reached(records);
    return records;
  };
}

export async function embedded(assignment: Assignment): Promise<() => Promise<number>> {
  const log = openSqliteLog({ file: join(assignment.folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  const work = analyzing(log, assignment);
  const collected = await collecting(log, assignment);
  return async () => {
    const records = await collected();
    await work.reached(records);
    return records;
  };
}

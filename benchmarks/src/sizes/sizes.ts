import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { startKafka } from '@ovn-steward/testbed/kafka';
import { inNewFolder } from '../in-new-folder';
import { type Assignment, startTask, type Task } from '../pipeline/task';
import { roundTo } from '../round-to';
import { writeWorld } from '../world/write-world';
import { type ProcessSize, sizeOf } from './process-size';
import { sizeOfReader } from './reader-size';

const MIB = 1_048_576;
const RECORDS = 1000;

/** What a cluster of that size needs: of each process, and on the brokers. */
interface Sizes {
  readonly ports: number;
  readonly pods: number;
  /** Records of changes: the whole cluster once, then one change for each port. */
  readonly records: number;
  readonly embedded: ProcessSize;
  readonly collector: ProcessSize;
  readonly analyzer: ProcessSize;
  /** Once all findings are read. It knows no cluster, so it acts on none. */
  readonly executor: ProcessSize;
  /** Once all findings are read, and what is due of them is sent. */
  readonly notifier: ProcessSize;
  /** Keys and values of each topic with any, in one copy and without compression. */
  readonly kafkaMiB: Readonly<Record<string, number>>;
}

/**
 * A world is read and changed once, on the embedded log and on Kafka, with each process on its own;
 * what is printed follows in docs/sizing.md.
 */
export const benchSizes = ({ ports }: { readonly ports: number }): Promise<Sizes> =>
  inNewFolder(async (folder) => {
    const world = await writeWorld(join(folder, 'world'), { ports });
    const broker = await startKafka();
    const tasks: Task[] = [];
    const start = async (role: Assignment['role']): Promise<Task & { folder: string }> => {
      const own = join(folder, role);
      await mkdir(own);
      const { bootstrap: brokers } = broker;
      const task = await startTask({ role, brokers, world, churn: ports, folder: own, records: 0 });
      tasks.push(task);
      return { ...task, folder: own };
    };
    try {
      const analyzer = await start('analyzer');
      const collector = await start('collector');
      for (const task of [analyzer, collector]) task.go();
      const { records } = await collector.done;
      analyzer.report(records);
      await analyzer.done;
      const ofAnalyzer = await sizeOf(analyzer);
      const ofCollector = await sizeOf(collector);
      const ofExecutor = await sizeOfReader('executor', broker.bootstrap, folder);
      const ofNotifier = await sizeOfReader('notifier', broker.bootstrap, folder);
      const embedded = await start('embedded');
      embedded.go();
      await embedded.done;
      return {
        ports,
        pods: world.pods,
        records,
        embedded: await sizeOf(embedded),
        collector: ofCollector,
        analyzer: ofAnalyzer,
        executor: ofExecutor,
        notifier: ofNotifier,
        kafkaMiB: await topicSizes(broker.bootstrap),
      };
    } finally {
      await Promise.all(tasks.map((it) => it.end()));
      await broker.stop();
    }
  });

async function topicSizes(brokers: readonly string[]): Promise<Record<string, number>> {
  const log = openKafkaLog({ brokers, clientId: 'bench-sizes', replicationFactor: 1 });
  const sizes: Record<string, number> = {};
  try {
    for (const { name } of TOPICS) {
      let bytes = 0;
      for (let partition = 0; partition < PARTITIONS; partition += 1)
        for (let from = 0n; ;) {
          const { records, next } = await log.read(name, partition, from, RECORDS);
          for (const { key, value } of records)
            bytes += Buffer.byteLength(key) + (value?.length ?? 0);
          if (records.length === 0 && next === from) break;
          from = next;
        }
      if (bytes > 0) sizes[name] = roundTo(bytes / MIB, 1);
    }
  } finally {
    await log.close();
  }
  return sizes;
}

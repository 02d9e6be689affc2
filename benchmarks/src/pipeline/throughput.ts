import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@ovn-steward/testbed/kafka';
import { asAdmin } from '../as-admin';
import { writeWorld } from '../world/write-world';
import { COPY } from './raw';
import { type Assignment, startTask, type Task, type Work } from './task';

export interface Throughput {
  readonly records: number;
  /**
   * Records a second, from the first one published to the last one judged and its findings
   * published.
   */
  readonly kafka: number;
  /** The same in one process, on the embedded log. */
  readonly embedded: number;
  /** The same bytes through kafkajs alone, from the first one sent to the last one received. */
  readonly raw: number;
  /** Processor time of one record, in microseconds, by who spends it; the broker's is not in it. */
  readonly cpuMicros: CpuMicros;
}

export interface CpuMicros {
  readonly collector: number;
  readonly analyzer: number;
  readonly embedded: number;
  /** kafkajs alone, sending and receiving. */
  readonly raw: number;
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - begin) / 1e9;
};

const microsOf = (records: number, ...work: readonly Work[]): number =>
  (work.reduce((sum, it) => sum + it.cpuSeconds, 0) / records) * 1e6;

const comment = (what: string, records: number, took: number): void =>
  void process.stderr.write(`${what}: ${records} records in ${took.toFixed(1)} s\n`);

/**
 * A world of that many ports is published, then as many changes as it took to publish it. All three
 * ways carry the same records.
 */
export async function measureThroughput(ports: number): Promise<Throughput> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const broker = await startKafka();
  const tasks: Task[] = [];
  const start = async (role: Assignment['role'], more: Partial<Assignment> = {}): Promise<Task> => {
    const own = join(folder, role);
    await mkdir(own);
    const task = await startTask({
      role,
      brokers: broker.bootstrap,
      world,
      churn: 2 * ports,
      folder: own,
      records: 0,
      ...more,
    });
    tasks.push(task);
    return task;
  };
  const ended = async (): Promise<void> =>
    void (await Promise.all(tasks.splice(0).map((it) => it.end())));
  const world = await writeWorld(join(folder, 'world'), { ports });
  try {
    const analyzer = await start('analyzer');
    const collector = await start('collector');
    let records = 0;
    const kafka = await seconds(async () => {
      for (const task of [analyzer, collector]) task.go();
      ({ records } = await collector.done);
      analyzer.report(records);
      await analyzer.done;
    });
    comment('collector, Kafka, analyzer', records, kafka);
    await ended();

    const one = await start('embedded');
    const embedded = await seconds(() => {
      one.go();
      return one.done;
    });
    comment('embedded', records, embedded);
    const inOne = await one.done;
    if (inOne.records !== records)
      throw new Error(`the embedded log holds ${inOne.records} records, Kafka ${records}`);
    await ended();

    await makeCopyTopic(broker.bootstrap);
    const consumer = await start('consume', { records });
    const producer = await start('produce', { records });
    const raw = await seconds(async () => {
      for (const task of [consumer, producer]) task.go();
      await Promise.all([consumer.done, producer.done]);
    });
    comment('kafkajs alone', records, raw);
    await ended();
    const cpuMicros = {
      collector: microsOf(records, await collector.done),
      analyzer: microsOf(records, await analyzer.done),
      embedded: microsOf(records, inOne),
      raw: microsOf(records, await producer.done, await consumer.done),
    };
    return {
      records,
      kafka: records / kafka,
      embedded: records / embedded,
      raw: records / raw,
      cpuMicros,
    };
  } finally {
    await ended();
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const makeCopyTopic = (brokers: readonly string[]): Promise<void> =>
  asAdmin(brokers, async (admin) => {
    await admin.createTopics({
      topics: [
        {
          topic: COPY,
          numPartitions: 1,
          replicationFactor: 1,
          configEntries: [{ name: 'max.message.bytes', value: String(8 * 1_048_576) }],
        },
      ],
    });
  });

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryOf } from '@ovn-steward/shared/errors';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { until } from '@ovn-steward/shared/testing/until';
import { createExecutor, type Executor } from './executor';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { ExecutorStore } from '../store/executor-store';
import { finding, published } from '../testing/findings';

/** A cluster for each partition. */
const CLUSTERS = Array.from({ length: PARTITIONS }, (_, partition) => {
  for (let n = 0; ; n += 1)
    if (partitionOf(`cluster-${n}`, PARTITIONS) === partition) return `cluster-${n}`;
});

describeWith(kafka, 'executors on Kafka', () => {
  let cluster: KafkaCluster;
  let log: Log;
  let directory: string;
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'executor-'));
    cluster = await startKafka();
    log = open();
    await log.ensureTopics(TOPICS);
  });

  afterAll(async () => {
    await Promise.all(running.map((it) => it.stop()));
    await log?.close();
    await cluster?.stop();
    rmSync(directory, { recursive: true });
  });

  const open = (): Log =>
    openKafkaLog({ brokers: cluster.bootstrap, clientId: 'test', replicationFactor: 1 });

  function start(name: string): { readonly executor: Executor; stop(): Promise<void> } {
    const own = open();
    const file = openStateFile(join(directory, name));
    const abort = new AbortController();
    const executor = createExecutor({
      log: own,
      store: new ExecutorStore(file),
      clock: () => new Date(),
      backOff: () => 200,
    });
    const ended = executor.run(abort.signal);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      abort.abort();
      await ended;
      await own.close();
      file.close();
    };
    const started = { executor, stop: () => (stopping ??= stop()) };
    running.push(started);
    return started;
  }

  /** A broker that is just back may not take the first attempt; the same again does no harm. */
  const append = async (partition: number, record: NewRecord): Promise<unknown> => {
    for (;;) {
      try {
        return await log.append(FINDINGS, partition, [record]);
      } catch (error) {
        if (retryOf(error, 'never') === 'never') throw error;
        await sleep(200);
      }
    }
  };
  const publish = async (port: string): Promise<void> => {
    for (const [partition, name] of CLUSTERS.entries())
      await append(partition, {
        ...published(finding(port, { cluster: name })),
        timestamp: Date.now(),
      });
  };
  const shown = (...executors: Executor[]): string[] =>
    executors
      .flatMap((it) => it.proposals().map((each) => `${each.cluster} ${each.subject.name}`))
      .sort();
  const expected = (...ports: string[]): string[] =>
    CLUSTERS.flatMap((name) => ports.map((port) => `${name} ${port}`)).sort();
  const agree = (found: string[], wanted: string[]): boolean =>
    JSON.stringify(found) === JSON.stringify(wanted);

  test('share the partitions, take over from each other, and survive a broker’s crash', async () => {
    const one = start('one.db');
    await publish('a');
    await until(() => agree(shown(one.executor), expected('a')));
    const two = start('two.db');
    await until(
      () =>
        two.executor.followed().length > 0 &&
        agree(shown(one.executor, two.executor), expected('a')),
    );
    expect(one.executor.followed().length + two.executor.followed().length).toBe(PARTITIONS);
    await one.stop();
    await publish('b');
    await until(() => agree(shown(two.executor), expected('a', 'b')));
    await cluster.nodes[0]?.kill();
    await sleep(500);
    expect(shown(two.executor)).toEqual(expected('a', 'b'));
    await cluster.nodes[0]?.start();
    await publish('c');
    await until(() => agree(shown(two.executor), expected('a', 'b', 'c')));
  }, 180_000);
});

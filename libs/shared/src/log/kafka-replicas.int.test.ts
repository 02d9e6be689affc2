import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../errors';
import { openKafkaLog } from './kafka-log';
import type { Log, TopicSpec } from './log';
import { readAll } from './log-bench';

const spec = (name: string): TopicSpec => ({
  name,
  partitions: 1,
  cleanup: 'compact',
  minCompactionLagMs: 1000,
  maxCompactionLagMs: 2000,
  deleteRetentionMs: 3000,
  maxMessageBytes: 100_000,
});
const record = (value: string) => ({ key: value, value, timestamp: Date.now() });

describeWith(kafka, 'three replicas of a topic on Kafka', () => {
  let cluster: KafkaCluster;
  let log: Log;
  beforeAll(async () => {
    cluster = await startKafka({ brokers: 3 });
    log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 3,
      timing: { requestMs: 2000, appendMs: 4000 },
    });
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await cluster?.stop();
  });

  it('must have a record on two brokers, and are refused where one would do', async () => {
    await log.ensureTopics([spec('copies')]);
    const admin = new Kafka({
      brokers: cluster.bootstrap,
      clientId: 'test',
      logLevel: logLevel.NOTHING,
    }).admin();
    await admin.connect();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [
        { type: ConfigResourceTypes.TOPIC, name: 'copies', configNames: ['min.insync.replicas'] },
      ],
    });
    expect(resources[0]?.configEntries.map(({ configValue }) => configValue)).toEqual(['2']);
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: 'copies',
          configEntries: [
            ['cleanup.policy', 'compact'],
            ['min.compaction.lag.ms', '1000'],
            ['max.compaction.lag.ms', '2000'],
            ['delete.retention.ms', '3000'],
            ['max.message.bytes', '100000'],
            ['min.insync.replicas', '1'],
          ].map(([name, value]) => ({ name: name!, value: value! })),
        },
      ],
    });
    await admin.disconnect();
    const other = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 3,
    });
    await expect(other.ensureTopics([spec('copies')])).rejects.toMatchObject({
      code: 'log-topic-drift',
      message: expect.stringContaining(
        'copies: in-sync replicas (min.insync.replicas) is 1, not 2',
      ),
    });
    await other.close();
  });

  it('take records while one broker is down, none while two are, and again when they are back, with all that was acknowledged', async () => {
    await log.ensureTopics([spec('kept')]);
    await log.append('kept', 0, [record('all')]);
    const [first, second] = cluster.nodes;
    const insist = async (value: string): Promise<void> => {
      for (const end = Date.now() + 60_000; ; await sleep(200)) {
        const error = await log.append('kept', 0, [record(value)]).then(
          () => undefined,
          (thrown: Failure) => thrown,
        );
        if (error === undefined) return;
        if (error.code !== 'log-unavailable' || Date.now() > end) throw error;
      }
    };
    await first?.kill();
    await insist('one down');
    await second?.kill();
    await expect(log.append('kept', 0, [record('two down')])).rejects.toMatchObject({
      code: 'log-unavailable',
    });
    await Promise.all([first?.start(), second?.start()]);
    await insist('back');
    const kept = new Set((await readAll(log, 'kept')).map(({ key }) => key));
    expect(['all', 'one down', 'back'].filter((it) => !kept.has(it))).toEqual([]);
  }, 180_000);
});

import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type Admin, ConfigResourceTypes, ConfigSource, Kafka, logLevel } from 'kafkajs';
import { batchBytes } from './batch-bytes';
import { type KafkaLogOptions, openKafkaLog } from './kafka-log';
import type { CompactedTopic, ExpiringTopic, Log } from './log';
import { TOPICS } from './topics';

let made = 0;
const fresh = (): string => `topics-${process.pid}-${(made += 1)}`;
const compacted = (name = fresh()): CompactedTopic => ({
  name,
  partitions: 3,
  cleanup: 'compact',
  minCompactionLagMs: 1000,
  maxCompactionLagMs: 2000,
  deleteRetentionMs: 3000,
  maxMessageBytes: 123_456,
});
const expiring = (name = fresh()): ExpiringTopic => ({
  name,
  partitions: 1,
  cleanup: 'delete',
  retentionMs: 7001,
  maxMessageBytes: 123_456,
});

describeWith(kafka, 'topics on Kafka', () => {
  let cluster: KafkaCluster;
  let admin: Admin;
  const logs: Log[] = [];
  beforeAll(async () => {
    cluster = await startKafka();
    admin = new Kafka({
      brokers: cluster.bootstrap,
      clientId: 'test',
      logLevel: logLevel.NOTHING,
    }).admin();
    await admin.connect();
  }, 180_000);
  afterEach(() => Promise.all(logs.splice(0).map((log) => log.close())));
  afterAll(async () => {
    await admin?.disconnect();
    await cluster?.stop();
  });

  const open = (more: Partial<KafkaLogOptions> = {}): Log => {
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
      ...more,
    });
    logs.push(log);
    return log;
  };
  const own = async (topic: string): Promise<Record<string, string>> => {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
    });
    return Object.fromEntries(
      (resources[0]?.configEntries ?? [])
        .filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG)
        .map(({ configName, configValue }) => [configName, configValue]),
    );
  };
  const create = (
    topic: string,
    numPartitions: number,
    settings: Record<string, string>,
  ): Promise<boolean> =>
    admin.createTopics({
      topics: [
        {
          topic,
          numPartitions,
          replicationFactor: 1,
          configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
        },
      ],
    });

  it('are made with all that the log promises, whatever the brokers do by default', async () => {
    const kept = compacted();
    const expired = expiring();
    await open().ensureTopics([kept, expired]);
    expect(await own(kept.name)).toEqual({
      'cleanup.policy': 'compact',
      'min.compaction.lag.ms': '1000',
      'max.compaction.lag.ms': '2000',
      'delete.retention.ms': '3000',
      'max.message.bytes': '123456',
      'compression.type': 'producer',
      'message.timestamp.type': 'CreateTime',
      'min.insync.replicas': '1',
    });
    expect(await own(expired.name)).toEqual({
      'cleanup.policy': 'delete',
      'retention.ms': '7001',
      'retention.bytes': '-1',
      'segment.ms': '3501',
      'max.message.bytes': '123456',
      'compression.type': 'producer',
      'message.timestamp.type': 'CreateTime',
      'min.insync.replicas': '1',
    });
    const { topics } = await admin.fetchTopicMetadata({ topics: [kept.name] });
    expect(topics[0]?.partitions).toHaveLength(3);
  });

  it('may be made by several at the same time', async () => {
    const specs = Array.from({ length: 4 }, () => compacted());
    await Promise.all([open(), open(), open()].map((log) => log.ensureTopics(specs)));
    await open().append(specs[3]?.name ?? '', 2, [{ key: 'a', value: 'x', timestamp: Date.now() }]);
  });

  it('that somebody else made are taken when they keep the promises', async () => {
    const spec = compacted();
    await create(spec.name, 3, {
      'cleanup.policy': 'compact',
      'min.compaction.lag.ms': '1000',
      'max.compaction.lag.ms': '2000',
      'delete.retention.ms': '3000',
      'max.message.bytes': '123456',
      'compression.type': 'gzip',
      'segment.ms': '60000',
    });
    await open().ensureTopics([spec]);
  });

  it('that somebody else made are refused when they keep them not, each by name, setting, what is and what must be', async () => {
    const plain = compacted();
    const recoded = compacted();
    const limited = expiring();
    const good = {
      'cleanup.policy': 'compact',
      'min.compaction.lag.ms': '1000',
      'max.compaction.lag.ms': '2000',
      'delete.retention.ms': '3000',
      'max.message.bytes': '123456',
    };
    await create(plain.name, 2, {});
    await create(recoded.name, 3, {
      ...good,
      'compression.type': 'zstd',
      'message.timestamp.type': 'LogAppendTime',
    });
    await create(limited.name, 1, {
      'retention.ms': '7001',
      'retention.bytes': '1000000',
      'max.message.bytes': '123456',
    });
    const refused = open().ensureTopics([plain, recoded, limited]);
    await expect(refused).rejects.toMatchObject({ code: 'log-topic-drift' });
    const { message } = (await refused.catch((error: Error) => error)) as Error;
    for (const drift of [
      `${plain.name}: partitions is 2, not 3`,
      `${plain.name}: cleanup (cleanup.policy) is delete, not compact`,
      `${plain.name}: minCompactionLagMs (min.compaction.lag.ms) is 0, not 1000`,
      `${recoded.name}: compression (compression.type) is zstd`,
      `${recoded.name}: timestamps (message.timestamp.type) is LogAppendTime`,
      `${limited.name}: no limit by size (retention.bytes) is 1000000`,
    ])
      expect(message).toContain(drift);
    expect(message).not.toContain(`${recoded.name}: minCompaction`);
    expect(message).toContain(`no command corrects ${plain.name}: set another kafka.topicPrefix`);
  });

  it('that keep too little come right by the command in the refusal, and those that keep more stay as they are', async () => {
    const short = expiring();
    const long = compacted();
    await create(short.name, 1, { 'retention.ms': '5', 'max.message.bytes': '999999' });
    await create(long.name, 3, {
      'cleanup.policy': 'compact',
      'min.compaction.lag.ms': '1000',
      'delete.retention.ms': '9000',
      'max.message.bytes': '999999',
    });
    const { message } = await open()
      .ensureTopics([short, long])
      .then(() => new Error('was taken'))
      .catch((error: Error) => error);
    expect(message).not.toContain(long.name);
    const command = new RegExp(
      `kafka-configs\\.sh --bootstrap-server ${cluster.bootstrap.join(',')} --alter --entity-type topics --entity-name ${short.name} --add-config (\\S+)\\.$`,
    ).exec(message);
    const settings = (command?.[1] ?? '').split(',').map((it) => it.split('=') as [string, string]);
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: short.name,
          configEntries: Object.entries({
            ...(await own(short.name)),
            ...Object.fromEntries(settings),
          }).map(([name, value]) => ({ name, value: value ?? '' })),
        },
      ],
    });
    expect((await open().ensureTopics([short, long])).map((it) => it.split(' is ')[0])).toEqual([
      `${short.name}: maxMessageBytes (max.message.bytes)`,
      `${long.name}: maxCompactionLagMs (max.compaction.lag.ms)`,
      `${long.name}: deleteRetentionMs (delete.retention.ms)`,
      `${long.name}: maxMessageBytes (max.message.bytes)`,
    ]);
    expect((await own(short.name))['retention.ms']).toBe('7001');
  });

  it('are not made with more replicas than there are brokers, and it says so at once', async () => {
    const spec = compacted();
    await expect(open({ replicationFactor: 9 }).ensureTopics([spec])).rejects.toMatchObject({
      code: 'log-unavailable',
      message: expect.stringMatching(/9 replicas.*fewer brokers.*kafka\.replicationFactor/),
    });
  });

  it('are requested in vain where no broker is, for as long as it may take and no longer', async () => {
    const log = open({ brokers: ['127.0.0.1:1'], timing: { queryMs: 500, connectMs: 200 } });
    for (const step of [
      log.ensureTopics([compacted()]),
      log.append('t', 0, [{ key: 'a', value: 'x', timestamp: Date.now() }]),
      log.read('t', 0, 0n, 1),
      log.committed('g'),
    ]) {
      await expect(step).rejects.toMatchObject({
        code: 'log-unavailable',
        message: expect.stringContaining('127.0.0.1:1'),
      });
    }
  });

  it('of this project can all be made, and give back the largest record they take', async () => {
    const log = open();
    const prefix = fresh();
    const specs = TOPICS.map((spec) => ({ ...spec, name: `${prefix}.${spec.name}` }));
    await log.ensureTopics(specs);
    for (const { name, maxMessageBytes } of specs) {
      const empty = { key: 'a', value: '', timestamp: Date.now() };
      const value = Buffer.alloc(maxMessageBytes - batchBytes([empty]), 'v');
      const { first } = await log.append(name, 11, [{ ...empty, value }]);
      const { records } = await log.read(name, 11, first, 1);
      expect(records[0]?.value?.equals(value)).toBe(true);
    }
  });

  it('report how large a batch may be to a log that did not make them', async () => {
    const spec = compacted();
    await open().ensureTopics([spec]);
    await expect(
      open().append(spec.name, 0, [
        { key: 'a', value: 'x'.repeat(123_456), timestamp: Date.now() },
      ]),
    ).rejects.toMatchObject({
      code: 'log-record-refused',
      message: expect.stringContaining('123456'),
    });
  });
});

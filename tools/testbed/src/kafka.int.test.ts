import { Kafka, logLevel, type KafkaConfig, type Message } from 'kafkajs';
import { describeWith, kafka } from './fixture';
import { startKafka, type KafkaCluster } from './kafka';

const client = (config: KafkaConfig): Kafka =>
  new Kafka({ clientId: 'test', logLevel: logLevel.NOTHING, retry: { retries: 2 }, ...config });

async function makeTopic(brokers: string[], topic: string): Promise<void> {
  const admin = client({ brokers }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }] });
  await admin.disconnect();
}

/** Sends one record, waiting for every copy in sync. */
async function send(config: KafkaConfig, topic: string, value: string): Promise<void> {
  const producer = client({ ...config, retry: { retries: 8, maxRetryTime: 2_000 } }).producer();
  try {
    await producer.connect();
    const message: Message = { key: 'k', value, partition: 0 };
    await producer.send({ topic, messages: [message], acks: -1 });
  } finally {
    await producer.disconnect();
  }
}

/**
 * Reads a topic from its beginning until it has this many records. A broker that just started loads
 * its groups for a while.
 */
async function read(config: KafkaConfig, topic: string, count: number): Promise<string[]> {
  const consumer = client({ retry: { retries: 30, maxRetryTime: 2_000 }, ...config }).consumer({
    groupId: `read-${topic}-${Math.random()}`,
  });
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    return await new Promise<string[]>((resolve, reject) => {
      const values: string[] = [];
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart) reject(payload.error);
      }); // else it begins again by itself
      const eachMessage = async ({
        message,
      }: {
        message: { value: Buffer | null };
      }): Promise<void> => {
        if (values.push(String(message.value)) === count) resolve(values);
      };
      consumer.run({ eachMessage }).catch(() => undefined); // as `CRASH` says
    });
  } finally {
    await consumer.disconnect();
  }
}

describeWith(kafka, 'a Kafka broker', () => {
  let cluster: KafkaCluster;

  beforeAll(async () => {
    cluster = await startKafka({ properties: { 'log.retention.hours': '7' } });
  });

  afterAll(() => cluster?.stop());

  test('keeps what was acknowledged over a crash, at the same address', async () => {
    const { bootstrap: brokers, nodes } = cluster;
    const topic = 'kept';
    await makeTopic(brokers, topic);
    await send({ brokers }, topic, 'before');
    await nodes[0]?.kill();
    expect(nodes[0]?.running()).toBe(false);
    await expect(send({ brokers, retry: { retries: 0 } }, topic, 'meanwhile')).rejects.toThrow();
    await nodes[0]?.start();
    await send({ brokers }, topic, 'after');
    expect(await read({ brokers }, topic, 2)).toEqual(['before', 'after']);
  });

  test('ends in an orderly way and comes back', async () => {
    const node = cluster.nodes[0];
    await node?.stop();
    expect(node?.running()).toBe(false);
    await node?.start();
    expect(node?.running()).toBe(true);
    await expect(node?.start()).rejects.toThrow('Kafka 1 is running already');
  });

  test('a paused one answers nobody until it is resumed', async () => {
    const brokers = cluster.bootstrap;
    await makeTopic(brokers, 'paused');
    await cluster.nodes[0]?.pause();
    await expect(
      send(
        { brokers, connectionTimeout: 300, requestTimeout: 300, retry: { retries: 0 } },
        'paused',
        'x',
      ),
    ).rejects.toThrow();
    await cluster.nodes[0]?.resume();
    await send({ brokers }, 'paused', 'y');
  });

  test('takes further server properties, and makes no topics by itself', async () => {
    const admin = client({ brokers: cluster.bootstrap }).admin();
    await admin.connect();
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 4, name: '1', configNames: ['log.retention.hours'] }],
    });
    await expect(admin.fetchTopicMetadata({ topics: ['absent'] })).rejects.toThrow();
    await admin.disconnect();
    expect(resources[0]?.configEntries.map(({ configValue }) => configValue)).toEqual(['7']);
  });

  test('leaves nothing behind when stopped', async () => {
    const other = await startKafka();
    const port = other.nodes[0]?.port;
    await other.stop();
    await expect(makeTopic([`127.0.0.1:${port}`], 'x')).rejects.toThrow();
  });
});

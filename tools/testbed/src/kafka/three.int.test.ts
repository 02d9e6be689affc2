import { Kafka, logLevel, type Producer } from 'kafkajs';
import { describeWith, kafka } from '../fixture';
import { startKafka, type KafkaCluster } from '../kafka';
import { waitFor } from '../run/wait';

describeWith(kafka, 'three Kafka brokers', () => {
  let cluster: KafkaCluster;
  let client: Kafka;

  beforeAll(async () => {
    cluster = await startKafka({ brokers: 3 });
    client = new Kafka({
      clientId: 'test',
      brokers: cluster.bootstrap,
      logLevel: logLevel.NOTHING,
    });
  }, 180_000);

  afterAll(() => cluster?.stop());

  const send = (producer: Producer, value: string): Promise<unknown> =>
    producer.send({ topic: 'copied', acks: -1, messages: [{ key: 'k', value, partition: 0 }] });

  test('go on with one dead, the leader, and take it back', async () => {
    const admin = client.admin();
    const producer = client.producer();
    await Promise.all([admin.connect(), producer.connect()]);
    try {
      const configEntries = [{ name: 'min.insync.replicas', value: '2' }];
      await admin.createTopics({
        topics: [{ topic: 'copied', numPartitions: 1, replicationFactor: 3, configEntries }],
        // kafkajs fails where the broker that it asks has not heard of the topic yet.
        waitForLeaders: false,
      });
      const partition = async () =>
        (await admin.fetchTopicMetadata({ topics: ['copied'] })).topics[0]?.partitions[0];
      await waitFor(async () => (await partition())?.isr.length === 3, {
        what: 'all brokers to have the topic',
        timeoutMs: 60_000,
      });
      await send(producer, 'one');
      const leader = (await partition())?.leader;
      const killed = cluster.nodes.find(({ id }) => id === leader);
      expect(killed).toBeDefined();
      await killed?.kill();
      await send(producer, 'two');
      expect((await partition())?.leader).not.toBe(killed?.id);
      await killed?.start();
      await waitFor(async () => (await partition())?.isr.length === 3, {
        what: 'the third copy to catch up',
        timeoutMs: 60_000,
      });
      expect(await admin.fetchTopicOffsets('copied')).toMatchObject([{ high: '2' }]);
    } finally {
      await Promise.all([producer.disconnect(), admin.disconnect()]);
    }
  });
});

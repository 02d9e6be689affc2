import { Kafka, logLevel } from 'kafkajs';
import { describeWith, kafka } from '../fixture';
import { startKafka, type KafkaCluster } from '../kafka';
import { faultySockets } from './faulty-sockets';

describeWith(kafka, 'faulty sockets between kafkajs and a broker', () => {
  let cluster: KafkaCluster;

  beforeAll(async () => {
    cluster = await startKafka({ security: { users: [] } });
  });

  afterAll(() => cluster?.stop());

  test.each(['cut', 'swallow'] as const)(
    'a produce whose response is lost (%s) is sent again, and stands twice',
    async (then) => {
      const topic = `twice-${then}`;
      const faulty = faultySockets();
      const client = new Kafka({
        clientId: 'test',
        brokers: cluster.bootstrap,
        logLevel: logLevel.NOTHING,
        requestTimeout: 500,
        socketFactory: faulty.socketFactory,
      });
      const admin = client.admin();
      const producer = client.producer();
      await Promise.all([admin.connect(), producer.connect()]);
      try {
        await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }] });
        faulty.dropResponses('Produce', 1, then);
        await producer.send({
          topic,
          acks: -1,
          messages: [{ key: 'k', value: 'v', partition: 0 }],
        });
        expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ high: '2' }]);
        expect(faulty.counts('Produce')).toEqual({ requests: 2, responses: 1, dropped: 1 });
      } finally {
        await Promise.all([producer.disconnect(), admin.disconnect()]);
      }
    },
  );

  test('work over TLS', async () => {
    const faulty = faultySockets();
    const ssl = { ca: cluster.security?.ca ?? '' };
    const client = new Kafka({
      clientId: 'test',
      brokers: [...(cluster.security?.tls ?? [])],
      ssl,
      logLevel: logLevel.NOTHING,
      socketFactory: faulty.socketFactory,
    });
    const admin = client.admin();
    await admin.connect();
    faulty.dropResponses('Metadata', 1);
    await expect(admin.listTopics()).rejects.toThrow('ECONNRESET');
    await admin.disconnect();
    expect(faulty.counts('Metadata').dropped).toBe(1);
  });
});

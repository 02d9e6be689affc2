import { Kafka, logLevel, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { describeWith, kafka } from '../fixture';
import { startKafka, type KafkaCluster, type KafkaSecurity } from '../kafka';

describeWith(kafka, 'a Kafka broker with security', () => {
  let cluster: KafkaCluster;
  let security: KafkaSecurity;

  beforeAll(async () => {
    cluster = await startKafka({
      security: {
        users: [
          { name: 'reader', password: 'secret-1' },
          { name: 'plain-only', password: 'secret-2', mechanisms: ['PLAIN'] },
        ],
        acls: [
          {
            user: 'reader',
            resource: 'topic',
            name: 'open.',
            prefix: true,
            operations: ['DESCRIBE', 'CREATE'],
          },
        ],
      },
    });
    if (cluster.security === undefined) throw new Error('no security');
    security = cluster.security;
  });

  afterAll(() => cluster?.stop());

  const withAdmin = async (
    config: KafkaConfig,
    work: (admin: ReturnType<Kafka['admin']>) => Promise<unknown>,
  ): Promise<unknown> => {
    const admin = new Kafka({
      clientId: 'test',
      logLevel: logLevel.NOTHING,
      retry: { retries: 0 },
      ...config,
    }).admin();
    await admin.connect();
    return work(admin).finally(() => admin.disconnect());
  };
  const create = (config: KafkaConfig, topic: string): Promise<unknown> =>
    withAdmin(config, (admin) =>
      admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }] }),
    );
  const asReader = (
    mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512',
    user = { username: 'reader', password: 'secret-1' },
  ): KafkaConfig => ({
    brokers: [...security.sasl],
    ssl: { ca: security.ca },
    sasl: { mechanism, ...user } as SASLOptions,
  });

  test('serves TLS under its own authority, and nobody without it', async () => {
    expect(await create({ brokers: [...security.tls], ssl: { ca: security.ca } }, 'by-tls')).toBe(
      true,
    );
    await expect(create({ brokers: [...security.tls], ssl: true }, 'x')).rejects.toThrow(
      /certificate/,
    );
    await expect(create({ brokers: [...security.tls] }, 'x')).rejects.toThrow();
  });

  test('asks for a certificate where it was asked to', async () => {
    const { ca, cert, key } = security;
    expect(
      await create({ brokers: [...security.mutualTls], ssl: { ca, cert, key } }, 'by-certificate'),
    ).toBe(true);
    await expect(create({ brokers: [...security.mutualTls], ssl: { ca } }, 'x')).rejects.toThrow();
  });

  test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'lets a user in by %s, with the right password only',
    async (mechanism) => {
      expect(await create(asReader(mechanism), `open.${mechanism}`)).toBe(true);
      const wrong = create(asReader(mechanism, { username: 'reader', password: 'wrong' }), 'x');
      await expect(wrong).rejects.toMatchObject({ name: 'KafkaJSSASLAuthenticationError' });
    },
  );

  test('a user has the mechanisms it was given', async () => {
    const user = { username: 'plain-only', password: 'secret-2' };
    await withAdmin(asReader('plain', user), () => Promise.resolve());
    await expect(
      withAdmin(asReader('scram-sha-256', user), () => Promise.resolve()),
    ).rejects.toMatchObject({ name: 'KafkaJSSASLAuthenticationError' });
  });

  test('a user may do what is allowed to it, at the start or later, and nothing else', async () => {
    const refused = expect.objectContaining({ type: 'TOPIC_AUTHORIZATION_FAILED' });
    await expect(create(asReader('plain'), 'closed.a')).rejects.toMatchObject({
      errors: [refused],
    });
    await cluster.allow([
      { user: 'reader', resource: 'topic', name: 'closed.a', operations: ['CREATE', 'DESCRIBE'] },
    ]);
    expect(await create(asReader('plain'), 'closed.a')).toBe(true);
    await expect(create(asReader('plain'), 'closed.b')).rejects.toMatchObject({
      errors: [refused],
    });
  });

  test('refuses users it could not write into its settings', async () => {
    await expect(
      startKafka({ security: { users: [{ name: 'a', password: 'b"; c' }] } }),
    ).rejects.toThrow(/letters, digits/);
  });
});

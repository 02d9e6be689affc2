import { rootCertificates } from 'node:tls';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, type KafkaSecurity, startKafka } from '@ovn-steward/testbed/kafka';
import { type KafkaLogOptions, openKafkaLog } from './kafka-log';
import type { Log, LogRecord, TopicSpec } from './log';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const PASSWORD = 'right-pass-1';
/** What appending takes, beside what reading takes, and what making and verifying takes. */
const ALLOWED = [
  {
    user: 'steward',
    resource: 'topic',
    name: 'open.',
    prefix: true,
    operations: ['DESCRIBE', 'READ', 'WRITE', 'CREATE', 'DESCRIBE_CONFIGS'],
  },
  {
    user: 'steward',
    resource: 'group',
    name: 'open.',
    prefix: true,
    operations: ['READ', 'DESCRIBE'],
  },
  {
    user: 'steward',
    resource: 'topic',
    name: 'unverified',
    operations: ['DESCRIBE', 'READ', 'WRITE'],
  },
] as const;

const spec = (name: string): TopicSpec => ({
  name,
  partitions: 2,
  cleanup: 'compact',
  minCompactionLagMs: 0,
  maxCompactionLagMs: 1000,
  deleteRetentionMs: 1000,
  maxMessageBytes: 100_000,
});
const record = { key: 'a', value: 'x', timestamp: Date.now() };

describeWith(kafka, 'the Kafka adapter, with security', () => {
  let cluster: KafkaCluster;
  let security: KafkaSecurity;
  const logs: Log[] = [];

  beforeAll(async () => {
    cluster = await startKafka({
      security: {
        users: [
          { name: 'steward', password: PASSWORD },
          { name: 'plain-only', password: PASSWORD, mechanisms: ['PLAIN'] },
        ],
        acls: ALLOWED,
      },
    });
    if (!cluster.security) throw new Error('no security');
    security = cluster.security;
    const anybody = open({ brokers: cluster.bootstrap });
    await anybody.ensureTopics([spec('closed'), spec('unverified')]);
    await anybody.append('closed', 0, [record]);
  }, 180_000);
  afterEach(() => Promise.all(logs.splice(0).map((log) => log.close())));
  afterAll(() => cluster?.stop());

  const open = (options: Partial<KafkaLogOptions>): Log => {
    const log = openKafkaLog({
      brokers: [],
      clientId: 'test',
      replicationFactor: 1,
      timing: { queryMs: 3000, appendMs: 5000 },
      ...options,
    });
    logs.push(log);
    return log;
  };
  const asUser = (
    mechanism: (typeof MECHANISMS)[number] = 'plain',
    password = PASSWORD,
    username = 'steward',
  ): Log =>
    open({
      brokers: security.sasl,
      tls: () => ({ ca: security.ca }),
      sasl: { mechanism, username, password },
    });

  /** Follows until there is something. */
  const follow = async (log: Log, topic: string, group: string): Promise<readonly LogRecord[]> => {
    const abort = new AbortController();
    let seen: readonly LogRecord[] = [];
    await log.consume({
      group,
      topics: [topic],
      resumeAt: () => 0n,
      signal: abort.signal,
      onBatch: async ({ records }) => {
        seen = records;
        abort.abort();
      },
    });
    return seen;
  };

  const works = async (log: Log, topic: string, group: string): Promise<void> => {
    await log.ensureTopics([spec(topic)]);
    const { first, next } = await log.append(topic, 1, [record]);
    expect((await log.read(topic, 1, first, 10)).records).toMatchObject([{ key: 'a' }]);
    expect(await follow(log, topic, group)).toMatchObject([{ key: 'a' }]);
    await log.commit(group, [{ topic, partition: 1, offset: next }]);
    expect(await log.committed(group)).toEqual([{ topic, partition: 1, offset: next }]);
  };

  /** Fails with the code, in a sentence or two that say all of `words` and no secret. */
  const refuses = async (
    step: Promise<unknown>,
    code: string,
    ...words: string[]
  ): Promise<void> => {
    const error = await step.then(
      () => new Error('it was allowed'),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ name: 'Failure', code });
    for (const word of words) expect(error.message).toContain(word);
    expect(error.message).toMatch(/^[A-Z][^\n]{20,400}\.$/);
    expect(error.message).not.toMatch(/pass-1|at .*\.js/);
  };

  it.each(MECHANISMS)('does all of its work by %s', (mechanism) =>
    works(asUser(mechanism), `open.${mechanism}`, `open.${mechanism}`),
  );

  it('does all of its work by TLS, and with a certificate of its own', async () => {
    const { ca, cert, key } = security;
    await works(open({ brokers: security.tls, tls: () => ({ ca }) }), 'open.tls', 'open.tls');
    await works(
      open({ brokers: security.mutualTls, tls: () => ({ ca, cert, key }) }),
      'open.mutual',
      'open.mutual',
    );
  });

  it('connects with what was renewed since it was opened', async () => {
    let ca = rootCertificates[0]!;
    const log = open({ brokers: security.tls, tls: () => ({ ca }) });
    await refuses(log.watermarks('open.renewed', 0), 'log-unavailable', 'kafka.tls');
    ca = security.ca;
    await works(log, 'open.renewed', 'open.renewed');
  });

  it.each(MECHANISMS)('is refused with a wrong password by %s', async (mechanism) => {
    const log = asUser(mechanism, 'wrong-pass-1');
    const words = ['steward', mechanism.toUpperCase(), 'kafka.sasl'];
    await refuses(log.ensureTopics([spec('open.a')]), 'log-forbidden', ...words);
    await refuses(log.append('open.a', 0, [record]), 'log-forbidden', ...words);
    await refuses(log.read('open.a', 0, 0n, 1), 'log-forbidden', ...words);
    await refuses(follow(log, 'open.a', 'open.g'), 'log-forbidden', ...words);
    await refuses(log.committed('open.g'), 'log-forbidden', ...words);
    await refuses(
      log.commit('open.g', [{ topic: 'open.a', partition: 0, offset: 1n }]),
      'log-forbidden',
      ...words,
    );
  });

  it('is refused with a mechanism the user has not, and without a login', async () => {
    await refuses(
      asUser('scram-sha-256', PASSWORD, 'plain-only').watermarks('open.a', 0),
      'log-forbidden',
      'plain-only',
      'SCRAM-SHA-256',
    );
    await refuses(
      open({ brokers: security.sasl, tls: () => ({ ca: security.ca }) }).watermarks('open.a', 0),
      'log-unavailable',
      security.sasl[0] ?? '',
    );
  });

  it('says which certificate is not trusted, and where TLS is spoken or not', async () => {
    const { ca } = security;
    const address = security.tls[0] ?? '';
    await refuses(
      open({ brokers: security.tls, tls: () => ({}) }).watermarks('closed', 0),
      'log-unavailable',
      address,
      'kafka.tls',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    );
    await refuses(
      open({ brokers: security.tls, tls: () => ({}) }).append('closed', 0, [record]),
      'log-unavailable',
      address,
      'kafka.tls',
    );
    await refuses(
      open({ brokers: security.tls }).watermarks('closed', 0),
      'log-unavailable',
      address,
      'kafka.tls',
    );
    await refuses(
      open({ brokers: cluster.bootstrap, tls: () => ({ ca }) }).watermarks('closed', 0),
      'log-unavailable',
      cluster.bootstrap[0] ?? '',
      'TLS',
    );
    await refuses(
      open({ brokers: security.mutualTls, tls: () => ({ ca }) }).watermarks('closed', 0),
      'log-unavailable',
      'kafka.tls',
    );
  });

  it('names the topic it may not use, the user and what to grant', async () => {
    const log = asUser();
    await refuses(
      log.ensureTopics([spec('closed')]),
      'log-forbidden',
      'closed',
      'steward',
      'Create',
    );
    await refuses(
      log.ensureTopics([spec('not-there')]),
      'log-forbidden',
      'not-there',
      'steward',
      'Create',
    );
    await refuses(
      log.ensureTopics([spec('unverified')]),
      'log-forbidden',
      'unverified',
      'DescribeConfigs',
    );
    await refuses(log.append('closed', 0, [record]), 'log-forbidden', 'closed', 'steward', 'Write');
    await refuses(log.read('closed', 0, 0n, 1), 'log-forbidden', 'closed', 'steward', 'Read');
    await refuses(log.watermarks('closed', 0), 'log-forbidden', 'closed', 'steward', 'Describe');
    await refuses(follow(log, 'closed', 'open.g'), 'log-forbidden', 'closed', 'steward', 'Read');
  });

  it('names the group it may not use, and what to grant', async () => {
    const log = asUser();
    await log.ensureTopics([spec('open.b')]);
    const words = ['shut', 'steward', 'Read', 'group'];
    await refuses(log.committed('shut'), 'log-forbidden', ...words);
    await refuses(
      log.commit('shut', [{ topic: 'open.b', partition: 0, offset: 1n }]),
      'log-forbidden',
      ...words,
    );
    await refuses(follow(log, 'open.b', 'shut'), 'log-forbidden', ...words);
  });

  it('appends and reads where it may not verify', async () => {
    const log = asUser();
    const { first } = await log.append('unverified', 0, [record]);
    expect((await log.read('unverified', 0, first, 1)).records).toHaveLength(1);
  });
});

import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  expiring,
  follow,
  fresh,
  type OpenedLog,
  openLog,
  records,
  storeAt,
  until,
} from './testing/follower';

const USERS = [
  { name: 'reader', password: 'secret' },
  { name: 'nobody', password: 'secret' },
  { name: 'grouped', password: 'secret' },
];

describeWith(kafka, 'positions in a log on Kafka', () => {
  let cluster: KafkaCluster;
  let log: OpenedLog;
  let client: Kafka;
  beforeAll(async () => {
    cluster = await startKafka({ security: { users: USERS } });
    log = openLog({ brokers: cluster.bootstrap });
    client = new Kafka({ brokers: cluster.bootstrap, logLevel: logLevel.NOTHING });
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await cluster?.stop();
  });

  const made = async (partitions = 1): Promise<string> => {
    const spec = expiring(partitions);
    await log.ensureTopics([spec]);
    return spec.name;
  };
  const administer = async (
    task: (admin: ReturnType<Kafka['admin']>) => Promise<unknown>,
  ): Promise<void> => {
    const admin = client.admin();
    await admin.connect();
    await task(admin).finally(() => admin.disconnect());
  };
  /** The oldest that may be read is `offset` from now on. */
  const removeBelow = (topic: string, offset: number): Promise<void> =>
    administer(async (admin) => {
      await admin.fetchTopicMetadata({ topics: [topic] }); // it wants to know the leaders first
      await admin.deleteTopicRecords({
        topic,
        partitions: [{ partition: 0, offset: `${offset}` }],
      });
    });
  const ten = Array.from({ length: 10 }, (_, n) => `${n}`);

  it('are lost when records before them were removed unread, and 0 is the beginning wherever it is', async () => {
    const topic = await made();
    await log.append(topic, 0, records(...ten));
    await removeBelow(topic, 5);
    expect(await follow(log, topic, fresh('g'), {}, storeAt(4n)).ended).toMatchObject({
      code: 'log-position-lost',
    });
    await expect(log.read(topic, 0, 4n, 10)).rejects.toMatchObject({ code: 'log-position-lost' });
    const fromStart = follow(log, topic, fresh('g'));
    const fromFive = follow(log, topic, fresh('g'), {}, storeAt(5n));
    await until(() => fromStart.seen.length === 5 && fromFive.seen.length === 5, 10_000);
    expect([fromStart.seen, fromFive.seen]).toEqual([ten.slice(5), ten.slice(5)]);
    expect((await log.read(topic, 0, 0n, 2)).records.map(({ key }) => key)).toEqual(['5', '6']);
    await Promise.all([fromStart.stop(), fromFive.stop()]);
  });

  it('are lost when they are beyond the end, though nothing ever comes', async () => {
    const topic = await made();
    const patient = openLog({ brokers: cluster.bootstrap, timing: { sessionMs: 45_000 } }); // checks again that late
    expect(await follow(patient, topic, fresh('g'), {}, storeAt(1n)).ended).toMatchObject({
      code: 'log-position-lost',
    });
    await log.append(topic, 0, records('a'));
    expect(await follow(patient, topic, fresh('g'), {}, storeAt(2n)).ended).toMatchObject({
      code: 'log-position-lost',
    });
    await patient.close();
  });

  it('are lost when what was to come is removed while a handler runs', async () => {
    const topic = await made();
    await log.append(topic, 0, records(...ten));
    const reader = follow(log, topic, fresh('g'), {
      async onBatch({ next }) {
        if (next > 10n) throw new Error('got what comes after records it never saw');
        await log.append(topic, 0, records(...ten));
        await removeBelow(topic, 15);
      },
    });
    expect(await reader.ended).toMatchObject({ code: 'log-position-lost' });
    expect([reader.seen, reader.held()]).toEqual([ten, []]);
  });

  it('are lost when what was to come is removed, and nothing comes after it', async () => {
    const topic = await made();
    await log.append(topic, 0, records(...ten));
    const reader = follow(log, topic, fresh('g'), {
      async onBatch() {
        await log.append(topic, 0, records(...ten));
        await removeBelow(topic, 20);
      },
    });
    expect(await reader.ended).toMatchObject({ code: 'log-position-lost' });
    expect(reader.seen).toEqual(ten);
  });

  it('are lost when the topic is recreated, and shorter', async () => {
    const topic = await made();
    await log.append(topic, 0, records(...ten));
    const reader = follow(log, topic, fresh('g'));
    await until(() => reader.seen.length === 10, 10_000);
    await administer((admin) => admin.deleteTopics({ topics: [topic] }));
    await sleep(1000);
    await administer((admin) =>
      admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }] }),
    );
    const second = openLog({ brokers: cluster.bootstrap });
    await second.append(topic, 0, records('new'));
    await second.close();
    expect(await reader.ended).toMatchObject({ code: 'log-position-lost' });
    expect(reader.seen).toEqual(ten);
  });

  it('pass over transactions that were taken back, and over their marks', async () => {
    const topic = await made();
    const producer = client.producer({
      transactionalId: fresh('t'),
      idempotent: true,
      maxInFlightRequests: 1,
      retry: { initialRetryTime: 10 },
    });
    await producer.connect();
    const want: string[] = [];
    const transact = async (
      key: string,
      keep: boolean,
      values: readonly string[] = ['x'],
    ): Promise<void> => {
      const transaction = await producer.transaction();
      for (const value of values)
        await transaction.send({
          topic,
          messages: [{ key, value, partition: 0 }],
          compression: CompressionTypes.None,
        });
      await (keep ? transaction.commit() : transaction.abort());
      if (keep) want.push(key);
    };
    for (let n = 0; n < 8; n += 1) await transact(`t${n}`, n % 3 === 0);
    const reader = follow(log, topic, fresh('g'));
    await until(() => reader.seen.length === want.length, 10_000);
    const { high } = await log.watermarks(topic, 0);
    const read: string[] = [];
    let at = 0n;
    for (let tries = 0; at < high && tries < 50; tries += 1) {
      const batch = await log.read(topic, 0, at, 1);
      read.push(...batch.records.map(({ key }) => key));
      at = batch.next;
    }
    expect([read, at]).toEqual([want, high]);
    await transact(
      'not',
      false,
      Array.from({ length: 10 }, () => 'x'.repeat(900_000)),
    ); // more than comes at once
    await sleep(500);
    await log.append(topic, 0, records('plain'));
    await until(() => reader.seen.includes('plain'), 10_000);
    expect([reader.seen, reader.store.positions.get(0)]).toEqual([[...want, 'plain'], high + 12n]);
    await Promise.all([reader.stop(), producer.disconnect()]);
  });

  it('are given to nobody who may not read the topic, or not use the group', async () => {
    const topic = await made();
    await cluster.allow([
      { user: 'reader', resource: 'topic', name: topic, operations: ['READ', 'DESCRIBE'] },
      { user: 'grouped', resource: 'group', name: '*', operations: ['READ', 'DESCRIBE'] },
      { user: 'nobody', resource: 'topic', name: topic, operations: ['DESCRIBE'] },
      { user: 'nobody', resource: 'group', name: '*', operations: ['READ', 'DESCRIBE'] },
    ]);
    await log.append(topic, 0, records('a'));
    const as = (username: string): OpenedLog =>
      openLog({
        brokers: cluster.security?.sasl ?? [],
        tls: () => ({ ca: cluster.security?.ca ?? '' }),
        sasl: { mechanism: 'scram-sha-256', username, password: 'secret' },
      });
    for (const [user, named] of [
      ['reader', 'group'],
      ['grouped', 'topic'],
      ['nobody', 'topic'],
    ] as const) {
      const mine = as(user);
      const reader = follow(mine, topic, 'denied');
      const error = await reader.ended;
      expect([user, error]).toEqual([
        user,
        expect.objectContaining({ code: 'log-forbidden', message: expect.stringContaining(named) }),
      ]);
      await mine.close();
    }
    const mine = as('reader');
    expect((await mine.read(topic, 0, 0n, 10)).records).toHaveLength(1); // reading needs no group
    await mine.close();
  });
});

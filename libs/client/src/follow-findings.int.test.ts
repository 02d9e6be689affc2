import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Admin,
  type ISocketFactory,
  Kafka,
  type KafkaConfig,
  logLevel,
  type Producer,
} from 'kafkajs';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { until } from '@ovn-steward/shared/testing/until';
import { followFindings } from './follow-findings';
import type { TopicRecord } from './read-record';
import { SqliteTable } from './sqlite-table';
import { FINDING, findingRecord, STATUS, statusRecord } from './testing/records';

const TOPICS = { findings: 'findings', status: 'status' };
const PARTITION = 1;
const CHECK_MS = 500;

describeWith(kafka, 'with Kafka, a follower', () => {
  let brokers: KafkaCluster;
  let client: Kafka;
  let admin: Admin;
  let producer: Producer;
  beforeAll(async () => {
    brokers = await startKafka();
    client = new Kafka({ brokers: [...brokers.bootstrap], logLevel: logLevel.NOTHING });
    admin = client.admin();
    producer = client.producer({ allowAutoTopicCreation: false });
    await Promise.all([admin.connect(), producer.connect()]);
  });
  afterAll(async () => {
    await Promise.all([admin?.disconnect(), producer?.disconnect()]);
    await brokers?.stop();
  });

  const make = (topic: string) =>
    admin.createTopics({ topics: [{ topic, numPartitions: 3, replicationFactor: 1 }] });
  /** Which tries nothing twice by itself. */
  const clientWith = (more: Partial<KafkaConfig>): Kafka =>
    new Kafka({
      brokers: [...brokers.bootstrap],
      logLevel: logLevel.NOTHING,
      retry: { retries: 0 },
      ...more,
    });
  /** Kafka deletes after it has answered. */
  const remake = async (topic: string): Promise<void> => {
    await admin.deleteTopics({ topics: [topic] });
    for (let tries = 0; tries < 100; tries += 1) {
      if (await make(topic).catch(() => false)) return;
      await sleep(200);
    }
    throw new Error(`${topic} could not be recreated`);
  };
  const send = (topic: string, ...messages: TopicRecord[]) =>
    producer.send({
      topic,
      messages: messages.map((it) => ({ ...it, partition: PARTITION }) as never),
    });
  const findings = (count: number, name: string): TopicRecord[] =>
    Array.from({ length: count }, (_, at) => findingRecord({}, `${name}-${at}`));

  /** Follows into one database while `use` runs, which may end it and begin again. */
  async function following(
    use: (follower: {
      table: SqliteTable;
      start: () => void;
      stop: () => Promise<void>;
      ids: () => string[];
    }) => Promise<void>,
  ): Promise<void> {
    const database = openSqliteDatabase(':memory:');
    const table = new SqliteTable(database);
    let stopping = new AbortController();
    let ended: Promise<void> = Promise.resolve();
    const stop = async (): Promise<void> => {
      stopping.abort();
      await ended;
    };
    const start = (): void => {
      stopping = new AbortController();
      ended = followFindings({
        kafka: client,
        table,
        topics: TOPICS,
        groupId: `test-${Math.random()}`,
        sessionTimeout: 6000,
        checkTopicsMs: CHECK_MS,
        signal: stopping.signal,
      });
    };
    const ids = (): string[] => table.open().map(({ id }) => id);
    try {
      start();
      await use({ table, start, stop, ids });
    } finally {
      await stop();
      database.close();
    }
  }

  beforeEach(async () => {
    for (const topic of Object.values(TOPICS)) await remake(topic).catch(() => make(topic));
  });

  test('leaves no connection open where one of them cannot be made', async () => {
    const sockets: Socket[] = [];
    const socketFactory: ISocketFactory = ({ host, port, onConnect }) => {
      const socket = connect({ host, port }, onConnect);
      if (sockets.push(socket) === 1) socket.destroy();
      return socket;
    };
    const database = openSqliteDatabase(':memory:');
    const kafka = clientWith({ socketFactory });
    const table = new SqliteTable(database);
    await expect(followFindings({ kafka, table, topics: TOPICS, groupId: 'one' })).rejects.toThrow(
      /./,
    );
    expect(sockets.length).toBeGreaterThan(1);
    await until(() => sockets.every((it) => it.closed));
    database.close();
  });

  test('knows by the status whether an empty table means anything', async () => {
    await following(async ({ table, ids }) => {
      const known = () => table.knowledge(FINDING.cluster);
      await send('status', statusRecord({ findingsThrough: '2' }));
      await until(() => known().length === 1, known);
      expect(known()).toMatchObject([{ source: STATUS.source, caughtUp: false }]);
      await send('findings', ...findings(2, 'a'));
      await until(() => known()[0]!.caughtUp, known);
      expect(ids()).toEqual(['a-0', 'a-1']);
      await send('status', { key: `${FINDING.cluster}/${STATUS.source}`, value: null });
      await until(() => known().length === 0, known);
    });
  });

  test('reads a topic that was recreated while it was not running, and forgets what the old one said', async () => {
    await following(async ({ start, stop, ids, table }) => {
      await send('findings', ...findings(5, 'old'));
      await until(() => ids().length === 5, ids);
      await stop();
      await remake('findings');
      await send('findings', ...findings(2, 'new'));
      start();
      await until(() => ids().includes('new-1'), ids);
      expect(ids()).toEqual(['new-0', 'new-1']);
      expect(table.positions('findings').get(PARTITION)).toBe(2);
    });
  });

  test('notices that a topic is recreated while it runs, even before anything is in it', async () => {
    await following(async ({ ids, table }) => {
      await send('findings', ...findings(5, 'old'));
      await send('status', statusRecord({ findingsThrough: '5' }));
      await until(() => ids().length === 5 && table.knowledge(FINDING.cluster).length === 1, ids);
      await remake('findings');
      await until(() => ids().length === 0, ids);
      // The status still is about the old topic: it says that something is missing.
      expect(table.knowledge(FINDING.cluster)).toMatchObject([{ caughtUp: false }]);
      await send('findings', ...findings(3, 'new'));
      await until(() => ids().length === 3, ids);
      expect(ids()).toEqual(['new-0', 'new-1', 'new-2']);
    });
  });
});

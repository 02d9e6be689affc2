import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { faultySockets } from '@ovn-steward/testbed/kafka/faulty-sockets';
import {
  expiring,
  follow,
  fresh,
  type OpenedLog,
  openLog,
  records,
  until,
} from './testing/follower';

describeWith(kafka, 'reading a log on Kafka', () => {
  let cluster: KafkaCluster;
  const logs: OpenedLog[] = [];
  beforeAll(async () => {
    cluster = await startKafka({});
  }, 180_000);
  afterEach(async () => void (await Promise.all(logs.splice(0).map((log) => log.close()))));
  afterAll(async () => cluster?.stop());

  const opened = async (partitions = 2) => {
    const sockets = faultySockets();
    const log = openLog({ brokers: cluster.bootstrap, socketFactory: sockets.socketFactory });
    logs.push(log);
    const spec = { ...expiring(partitions), maxMessageBytes: 16 * 1_048_576 };
    await log.ensureTopics([spec]);
    return { log, sockets, topic: spec.name };
  };

  it('gives every record once and in order, in whatever pieces, beside other reads and a reader that follows', async () => {
    const { log, topic } = await opened();
    const sent = [0, 1].map((partition) =>
      Array.from({ length: 3000 }, (_, n) => `${partition}-${n}`),
    );
    for (const partition of [0, 1])
      for (let n = 0; n < 3000; n += 250)
        await log.append(topic, partition, records(...(sent[partition] ?? []).slice(n, n + 250)));
    const reader = follow(log, topic, fresh('g'));
    const all = async (partition: number, max: number): Promise<string[]> => {
      const seen: string[] = [];
      for (let at = 0n; ;) {
        const batch = await log.read(topic, partition, at, max);
        expect(batch.records.length).toBeLessThanOrEqual(max);
        if (batch.records.length === 0) return seen;
        seen.push(...batch.records.map(({ key }) => key));
        at = batch.next;
      }
    };
    expect(await Promise.all([all(0, 7), all(1, 500), all(0, 333), all(1, 10_000)])).toEqual([
      sent[0],
      sent[1],
      sent[0],
      sent[1],
    ]);
    for (const at of [10, 1234, 12, 14, 12, 2998])
      expect((await log.read(topic, 0, BigInt(at), 2)).records.map(({ key }) => key)).toEqual([
        `0-${at}`,
        `0-${at + 1}`,
      ]);
    await until(() => reader.seen.length === 6000, 10_000);
    await reader.stop();
  });

  it('gives what was appended since it came to the end', async () => {
    const { log, topic } = await opened();
    await log.append(topic, 0, records('a', 'b', 'c'));
    const first = await log.read(topic, 0, 0n, 2);
    const rest = await log.read(topic, 0, first.next, 2);
    expect([rest.records.map(({ key }) => key), await log.read(topic, 0, rest.next, 2)]).toEqual([
      ['c'],
      { topic, partition: 0, records: [], next: 3n },
    ]);
    await log.append(topic, 0, records('d'));
    expect((await log.read(topic, 0, 3n, 2)).records.map(({ key }) => key)).toEqual(['d']);
  });

  it('takes the largest records there are, with others behind them and in other partitions', async () => {
    const { log, topic } = await opened();
    const large = { key: 'large', value: Buffer.alloc(15 * 1_048_576, 1), timestamp: Date.now() };
    for (const partition of [0, 1]) {
      await log.append(topic, partition, records('before'));
      await log.append(topic, partition, [large]);
      await log.append(topic, partition, records('after'));
    }
    const reader = follow(log, topic, fresh('g'));
    await until(() => reader.seen.length === 6, 20_000);
    expect([reader.store.keys.get(0), reader.store.keys.get(1)]).toEqual([
      ['before', 'large', 'after'],
      ['before', 'large', 'after'],
    ]);
    const read = await log.read(topic, 1, 1n, 1);
    expect([
      read.records[0]?.value?.equals(large.value),
      (await log.read(topic, 1, 2n, 1)).records.map(({ key }) => key),
    ]).toEqual([true, ['after']]);
    await reader.stop();
  });

  it('goes on after cut connections, lost answers, and a broker that was killed', async () => {
    const { log, topic, sockets } = await opened();
    await log.append(topic, 0, records('a', 'b'));
    const second = async (): Promise<string | undefined> =>
      (await log.read(topic, 0, 1n, 1)).records[0]?.key;
    expect(await second()).toBe('b');
    sockets.cutConnections();
    expect(await second()).toBe('b');
    sockets.dropResponses('Fetch', 2);
    expect(await second()).toBe('b');
    sockets.dropResponses('Fetch', 1, 'swallow');
    expect(await second()).toBe('b');
    await cluster.nodes[0]?.kill();
    const reading = second();
    await cluster.nodes[0]?.start();
    expect(await reading).toBe('b');
  });

  it('ends with log-unavailable when no broker answers, and with log-topic-unknown where there is none', async () => {
    const { log, topic } = await opened();
    await expect(log.read(topic, 2, 0n, 1)).rejects.toMatchObject({ code: 'log-topic-unknown' });
    await expect(log.read(fresh('none'), 0, 0n, 1)).rejects.toMatchObject({
      code: 'log-topic-unknown',
    });
    await log.append(topic, 0, records('a'));
    await cluster.nodes[0]?.kill();
    await expect(log.read(topic, 0, 0n, 1)).rejects.toMatchObject({ code: 'log-unavailable' });
    await cluster.nodes[0]?.start();
    expect((await log.read(topic, 0, 0n, 1)).records).toHaveLength(1);
  });
});

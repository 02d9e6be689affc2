import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { openKafkaLog } from './kafka-log';
import type { Log, TopicSpec } from './log';

const DAY_MS = 86_400_000;
const name = `positions-${process.pid}`;
const topic = (suffix: string): TopicSpec => ({
  name: `${name}-${suffix}`,
  partitions: 2,
  cleanup: 'compact',
  minCompactionLagMs: DAY_MS,
  maxCompactionLagMs: 2 * DAY_MS,
  deleteRetentionMs: DAY_MS,
  maxMessageBytes: 100_000,
});

describeWith(kafka, 'positions on Kafka', () => {
  let cluster: KafkaCluster;
  const logs: Log[] = [];
  const open = (): Log => {
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
    });
    logs.push(log);
    return log;
  };
  beforeAll(async () => {
    cluster = await startKafka();
    await open().ensureTopics([topic('a'), topic('b')]);
  }, 180_000);
  afterEach(() => Promise.all(logs.splice(0).map((log) => log.close())));
  afterAll(() => cluster?.stop());

  it('of several topics are published together, and read by anybody in the order of topic and partition', async () => {
    const group = `${name}-1`;
    const positions = [
      ['b', 1, 7n],
      ['a', 1, 0n],
      ['b', 0, 2n ** 53n + 1n],
    ].map(([suffix, partition, offset]) => ({
      topic: `${name}-${suffix}`,
      partition: partition as number,
      offset: offset as bigint,
    }));
    await open().commit(group, positions);
    expect(await open().committed(group)).toEqual([positions[1], positions[2], positions[0]]);
    await open().commit(group, []);
    expect(await open().committed(group)).toHaveLength(3);
  });

  it('are not published over a reader elsewhere', async () => {
    const group = `${name}-2`;
    const reader = open();
    const other = open();
    await reader.append(`${name}-a`, 0, [{ key: 'k', value: 'x', timestamp: Date.now() }]);
    const abort = new AbortController();
    let seen = (): void => undefined;
    const reading = new Promise<void>((resolve) => (seen = resolve));
    const following = reader.consume({
      group,
      topics: [`${name}-a`],
      resumeAt: () => 0n,
      signal: abort.signal,
      onBatch: async () => seen(),
    });
    await reading;
    const position = { topic: `${name}-a`, partition: 0, offset: 1n };
    await expect(other.commit(group, [position])).rejects.toMatchObject({
      code: 'log-partition-lost',
      message: expect.stringContaining(group),
    });
    await reader.commit(group, [position]);
    abort.abort();
    await following;
    await other.commit(group, [{ ...position, offset: 0n }]);
    expect(await other.committed(group)).toEqual([{ ...position, offset: 0n }]);
  });

  it('of partitions that are not there are refused', async () => {
    await expect(
      open().commit(`${name}-3`, [{ topic: `${name}-a`, partition: 2, offset: 1n }]),
    ).rejects.toMatchObject({ code: 'log-topic-unknown' });
    expect(await open().committed(`${name}-3`)).toEqual([]);
  });
});

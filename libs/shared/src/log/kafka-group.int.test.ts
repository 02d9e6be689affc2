import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { faultySockets } from '@ovn-steward/testbed/kafka/faulty-sockets';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors';
import { type FollowingChild, followInChild } from './testing/follow-in-child';
import {
  expiring,
  follow,
  type Follower,
  fresh,
  newStore,
  type OpenedLog,
  openLog,
  records,
  until,
} from './testing/follower';

const PARTITIONS = 12;
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);

describeWith(kafka, 'readers of one group on Kafka', () => {
  let cluster: KafkaCluster;
  const logs: OpenedLog[] = [];
  const children: FollowingChild[] = [];
  beforeAll(async () => {
    cluster = await startKafka({});
  }, 180_000);
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await Promise.all(logs.splice(0).map((log) => log.close()));
  });
  afterAll(async () => cluster?.stop());

  const open = (more: Partial<Parameters<typeof openLog>[0]> = {}): OpenedLog => {
    const log = openLog({ brokers: cluster.bootstrap, ...more });
    logs.push(log);
    return log;
  };
  const made = async (): Promise<{
    readonly log: OpenedLog;
    readonly topic: string;
    readonly group: string;
  }> => {
    const log = open();
    const spec = expiring(PARTITIONS);
    await log.ensureTopics([spec]);
    return { log, topic: spec.name, group: fresh('g') };
  };
  const share = (...readers: readonly Follower[]): boolean =>
    readers.every((reader) => reader.held().length === PARTITIONS / readers.length) &&
    [...new Set(readers.flatMap((reader) => reader.held()))].length === PARTITIONS;
  const append = async (log: OpenedLog, topic: string, tag: string): Promise<string[]> => {
    for (const partition of ALL) await log.append(topic, partition, records(`${tag}-${partition}`));
    return ALL.map((partition) => `${tag}-${partition}`);
  };

  it('share the partitions, and one takes over at once what another leaves; each record is applied once and in order', async () => {
    const { log, topic, group } = await made();
    const store = newStore();
    const writing = new AbortController();
    const sent: string[][] = ALL.map(() => []);
    const writer = (async () => {
      for (let n = 0; !writing.signal.aborted; n += 1) {
        const partition = n % PARTITIONS;
        await log.append(topic, partition, records(`${n}`));
        sent[partition]?.push(`${n}`);
      }
    })();
    const long = { timing: { sessionMs: 45_000 } };
    const first = follow(open(long), topic, group, {}, store);
    await until(() => share(first), 10_000);
    const second = follow(open(long), topic, group, {}, store);
    await until(() => share(first, second), 10_000);
    expect(first.asked).toHaveLength(PARTITIONS); // those it kept were not asked for again
    await until(() => second.seen.length > 50, 10_000);
    await first.stop();
    await until(() => share(second), 15_000);
    expect(first.held()).toEqual([]);
    await sleep(300);
    writing.abort();
    await writer;
    await until(
      () => ALL.every((partition) => store.keys.get(partition)?.length === sent[partition]?.length),
      10_000,
    );
    await second.stop();
    expect(ALL.map((partition) => store.keys.get(partition))).toEqual(sent);
  });

  it('read a partition with little while another has much', async () => {
    const { log, topic, group } = await made();
    const much = 0;
    const little = 7;
    const bytes = 60_000;
    const perBatch = 15;
    const large = { value: 'x'.repeat(bytes), timestamp: Date.now() };
    for (let batch = 0; batch < 60; batch += 1)
      await log.append(
        topic,
        much,
        Array.from({ length: perBatch }, (_, n) => ({ ...large, key: `${batch}-${n}` })),
      );
    let handled = 0;
    let since: number | undefined;
    const waited: number[] = [];
    const reader = follow(log, topic, group, {
      async onBatch({ partition, records: found }) {
        if (partition === little) {
          waited.push(handled - since!);
          since = undefined;
        } else {
          handled += found.length * bytes;
          await sleep(20);
        }
      },
    });
    for (let round = 0; round < 8; round += 1) {
      await until(() => handled > round * 4 * 1_048_576, 20_000);
      since = handled;
      await log.append(topic, little, records(`${round}`));
      await until(() => since === undefined, 20_000);
    }
    await reader.stop();
    // What was fetched before it came, and what was fetched with it.
    expect(Math.max(...waited)).toBeLessThan(3 * 1_048_576);
  });

  it('divide the partitions again though one has much to do with what it fetched', async () => {
    const { log, topic, group } = await made();
    for (const partition of ALL)
      await log.append(topic, partition, records(...Array.from({ length: 100 }, (_, n) => `${n}`)));
    const busy = follow(open({ timing: { sessionMs: 45_000 } }), topic, group, {
      maxRecords: 1,
      onBatch: () => sleep(250),
    }); // half a minute a partition
    await until(() => busy.seen.length > 2, 10_000);
    const second = follow(open(), topic, group);
    await until(() => share(busy, second), 15_000);
    await Promise.all([busy.stop(), second.stop()]);
  });

  it('take over from a process that was killed, from where the caller says', async () => {
    const { log, topic, group } = await made();
    const keys = await append(log, topic, 'a');
    const child = followInChild(cluster.bootstrap, topic, group);
    children.push(child);
    await until(
      () => child.lines.filter((line) => line.startsWith('committed')).length === PARTITIONS,
      20_000,
    );
    const reader = follow(log, topic, group);
    await until(() => reader.held().length === PARTITIONS / 2, 10_000);
    await child.kill();
    await until(() => reader.held().length === PARTITIONS, 20_000);
    await until(() => reader.seen.length === PARTITIONS, 10_000); // all of it again: what the group committed counts for nothing
    expect([...reader.seen].sort()).toEqual(keys.sort());
    await reader.stop();
  });

  it('give up what they had while they were away longer than a session, and take part again', async () => {
    const { log, topic, group } = await made();
    const child = followInChild(cluster.bootstrap, topic, group);
    children.push(child);
    await append(log, topic, 'a');
    await until(
      () => child.lines.filter((line) => line.startsWith('committed')).length === PARTITIONS,
      20_000,
    );
    child.process.kill('SIGSTOP');
    const reader = follow(log, topic, group);
    await until(() => reader.held().length === PARTITIONS, 20_000);
    await reader.stop();
    child.process.kill('SIGCONT');
    await until(
      () => child.lines.filter((line) => line.startsWith('revoked')).length === PARTITIONS,
      10_000,
    );
    await append(log, topic, 'b');
    await until(
      () => child.lines.filter((line) => line.startsWith('saw b')).length === PARTITIONS,
      20_000,
    ); // and takes part again
  });

  it('refuse what a reader commits whose partition another has meanwhile, though its handler does not know', async () => {
    const { log, topic, group } = await made();
    const sockets = faultySockets();
    const cutOff = open({ socketFactory: sockets.socketFactory, timing: { stallMs: 60_000 } });
    await log.append(topic, 0, records('a'));
    let running = false;
    let refusal = undefined as unknown;
    let goOn = (): void => undefined;
    const reported = new Promise<void>((resolve) => (goOn = resolve));
    const slow = follow(cutOff, topic, group, {
      async onBatch({ partition, next }) {
        if (running) return;
        running = true;
        await reported;
        refusal = await cutOff
          .commit(group, [{ topic, partition, offset: next }])
          .catch((error: unknown) => error);
        throw refusal;
      },
    });
    await until(() => running, 10_000);
    sockets.refuseConnections(true);
    sockets.cutConnections();
    const reader = follow(log, topic, group);
    await until(() => reader.held().length === PARTITIONS && reader.seen.length === 1, 20_000);
    await log.commit(group, [{ topic, partition: 0, offset: 1n }]);
    expect(slow.revoked).toEqual([]); // its handler runs
    sockets.refuseConnections(false);
    goOn();
    expect(await slow.ended).toMatchObject({ code: 'log-partition-lost' });
    expect([refusal, slow.held(), await log.committed(group)]).toEqual([
      expect.objectContaining({ code: 'log-partition-lost' }),
      [],
      [{ topic, partition: 0, offset: 1n }],
    ]);
    await reader.stop();
  });

  it("refuse positions of partitions that are another reader's, and publish what is theirs", async () => {
    const { log, topic, group } = await made();
    const first = follow(log, topic, group);
    const second = follow(open(), topic, group);
    /**
     * A group that divides its partitions again, on a machine that stalls, refuses what is asked
     * meanwhile; then each has others.
     */
    const published = async (): Promise<number> => {
      for (const end = Date.now() + 25_000; ; await sleep(100)) {
        await until(() => share(first, second), 15_000);
        const partition = first.held()[0] ?? -1;
        try {
          await log.commit(group, [{ topic, partition, offset: 0n }]);
          return partition;
        } catch (error) {
          if (
            Date.now() > end ||
            !(error instanceof Failure) ||
            error.code !== 'log-partition-lost'
          )
            throw error;
        }
      }
    };
    const ours = await published();
    const theirs = second.held()[0] ?? -1;
    await expect(
      log.commit(group, [
        { topic, partition: ours, offset: 0n },
        { topic, partition: theirs, offset: 0n },
      ]),
    ).rejects.toMatchObject({ code: 'log-partition-lost' });
    expect(await log.committed(group)).toEqual([{ topic, partition: ours, offset: 0n }]);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('lose nothing and repeat nothing while readers come and go at random', async () => {
    const { log, topic, group } = await made();
    const store = newStore();
    const readers = [follow(open(), topic, group, {}, store)];
    const sent = ALL.map(() => 0);
    for (let round = 0; round < 12; round += 1) {
      for (const partition of ALL)
        await log.append(
          topic,
          partition,
          records(`${(sent[partition] = (sent[partition] ?? 0) + 1)}`),
        );
      if (round % 3 === 1) readers.push(follow(open(), topic, group, {}, store));
      else if (readers.length > 1 && round % 3 === 0) await readers.shift()?.stop();
      else await sleep(300);
    }
    await until(
      () => ALL.every((partition) => store.keys.get(partition)?.length === sent[partition]),
      15_000,
      () => JSON.stringify([...store.keys].map(([partition, keys]) => [partition, keys.length])),
    );
    expect(ALL.map((partition) => store.keys.get(partition))).toEqual(
      ALL.map((partition) => Array.from({ length: sent[partition] ?? 0 }, (_, n) => `${n + 1}`)),
    );
    await Promise.all(readers.map((reader) => reader.stop()));
  });
});

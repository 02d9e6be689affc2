import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { faultySockets } from '@ovn-steward/testbed/kafka/faulty-sockets';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaTiming } from './kafka-options';
import {
  expiring,
  follow,
  fresh,
  type OpenedLog,
  openLog,
  records,
  until,
} from './testing/follower';

/** For ever, as tests go. */
const ALL = 1_000_000;

/**
 * Every way known in which a consumer of kafkajs stops without a word, or goes on as if nothing had
 * been lost.
 */
describeWith(kafka, 'following a log whose client stops consuming', () => {
  let cluster: KafkaCluster;
  beforeAll(async () => {
    cluster = await startKafka({});
  }, 180_000);
  afterAll(async () => cluster?.stop());

  const logs: OpenedLog[] = [];
  afterEach(async () => void (await Promise.all(logs.splice(0).map((log) => log.close()))));

  const opened = async (timing: Partial<KafkaTiming> = {}) => {
    const sockets = faultySockets();
    const log = openLog({
      brokers: cluster.bootstrap,
      socketFactory: sockets.socketFactory,
      timing,
    });
    const writer = openLog({ brokers: cluster.bootstrap });
    logs.push(log, writer);
    const spec = expiring(2);
    await writer.ensureTopics([spec]);
    return { sockets, log, writer, topic: spec.name };
  };
  const restarts = (log: OpenedLog): number =>
    log.events.filter(({ type }) => type === 'consumer-restarted').length;

  it('joins once the coordinator can be found, when all answers were lost at first', async () => {
    const { sockets, log, writer, topic } = await opened();
    await writer.append(topic, 0, records('a'));
    sockets.dropResponses('FindCoordinator', 4);
    const reader = follow(log, topic, fresh('g'));
    await until(() => reader.seen.length === 1, 15_000);
    expect(restarts(log)).toBeGreaterThan(0);
    expect(sockets.counts('FindCoordinator').dropped).toBe(4);
    await reader.stop();
  });

  it.each(['Fetch', 'Heartbeat'] as const)(
    'goes on when %s is never answered any more',
    async (api) => {
      const { sockets, log, writer, topic } = await opened();
      const reader = follow(log, topic, fresh('g'));
      await writer.append(topic, 0, records('a'));
      await until(() => reader.seen.length === 1, 10_000);
      sockets.dropResponses(api, ALL, 'swallow');
      await sleep(1000);
      await writer.append(topic, 0, records('b'));
      await until(() => restarts(log) > 0, 8000);
      sockets.dropResponses(api, 0);
      await until(() => reader.seen.includes('b'), 8000);
      expect([reader.seen, reader.revoked.length]).toEqual([['a', 'b'], 2]);
      await reader.stop();
    },
  );

  it('goes on when its connections are cut, and again', async () => {
    const { sockets, log, writer, topic } = await opened();
    const reader = follow(log, topic, fresh('g'));
    for (let n = 1; n <= 5; n += 1) {
      await writer.append(topic, n % 2, records(`${n}`));
      await until(() => reader.seen.length === n, 15_000);
      sockets.cutConnections();
    }
    expect(reader.seen).toEqual(['1', '2', '3', '4', '5']);
    await reader.stop();
  });

  it('consumes again soon after the return of a broker that was killed, not only when the session of its old self has ended', async () => {
    const { log, writer, topic } = await opened({ sessionMs: 45_000 });
    const reader = follow(log, topic, fresh('g'));
    await writer.append(topic, 0, records('a'));
    await until(() => reader.seen.length === 1, 10_000);
    await cluster.nodes[0]?.kill();
    await sleep(17_000);
    await cluster.nodes[0]?.start();
    await writer.append(topic, 0, records('b'));
    await until(() => reader.seen.includes('b'), 15_000);
    expect(reader.seen).toEqual(['a', 'b']);
    await reader.stop();
  });

  it('waits for brokers that are not there when it begins', async () => {
    const { log, writer, topic } = await opened();
    await writer.append(topic, 0, records('a'));
    await cluster.nodes[0]?.stop();
    const reader = follow(log, topic, fresh('g'));
    await sleep(2000);
    await cluster.nodes[0]?.start();
    await until(() => reader.seen.length === 1, 15_000);
    await reader.stop();
  });

  it('ends at once when it is asked to while no broker answers', async () => {
    const { sockets, log, writer, topic } = await opened({
      queryMs: 60_000,
      requestMs: 60_000,
      connectMs: 30_000,
    });
    const first = follow(log, topic, fresh('g'));
    const second = follow(log, topic, fresh('g'));
    await writer.append(topic, 0, records('a'));
    await until(() => first.seen.length + second.seen.length === 2, 10_000);
    sockets.refuseConnections(true);
    sockets.cutConnections();
    await until(() => restarts(log) > 1, 15_000);
    await first.stop(); // between two tries
    for (const api of ['ApiVersions', 'Metadata', 'FindCoordinator'] as const)
      sockets.dropResponses(api, ALL, 'swallow');
    sockets.refuseConnections(false);
    await sleep(3000);
    await second.stop(); // within one
    expect([first.held(), second.held()]).toEqual([[], []]);
    const third = openLog({
      brokers: cluster.bootstrap,
      socketFactory: sockets.socketFactory,
      timing: { queryMs: 60_000, requestMs: 60_000, connectMs: 30_000 },
    });
    const begun = follow(third, topic, fresh('g'));
    await sleep(500);
    await begun.stop();
    sockets.dropResponses('ApiVersions', 0);
    sockets.cutConnections();
    await third.close();
  });

  it('ends with what the caller threw when asked where to resume, and takes back nothing it did not have', async () => {
    const { log, topic } = await opened();
    const store = new Error('store');
    const resumeAt = (): bigint => {
      throw store;
    };
    const reader = follow(log, topic, fresh('g'), { resumeAt });
    expect([await reader.ended, reader.revoked]).toEqual([store, []]);
    const later = follow(log, topic, fresh('g'), { resumeAt: () => Promise.reject(store) });
    expect([await later.ended, later.revoked]).toEqual([store, []]);
  });

  it('keeps its partitions while a handler takes longer than a session', async () => {
    const { log, writer, topic } = await opened();
    const group = fresh('g');
    await writer.append(topic, 0, records('a'));
    const reader = follow(log, topic, group, {
      async onBatch({ topic: from, partition, next }) {
        await sleep(9000);
        await log.commit(group, [{ topic: from, partition, offset: next }]);
      },
    });
    await until(() => reader.seen.length === 1, 20_000);
    expect([reader.asked.length, reader.revoked, await writer.committed(group)]).toEqual([
      2,
      [],
      [{ topic, partition: 0, offset: 1n }],
    ]);
    await reader.stop();
  });
});

describeWith(kafka, 'following a log of three brokers', () => {
  let cluster: KafkaCluster;
  let log: OpenedLog;
  beforeAll(async () => {
    cluster = await startKafka({ brokers: 3 });
    log = openLog({
      brokers: cluster.bootstrap,
      replicationFactor: 3,
      timing: { requestMs: 2000, connectMs: 1000, appendMs: 4000 },
    });
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await cluster?.stop();
  });

  it.each(['kill', 'pause'] as const)(
    'goes on when they %s, one after the other: one leads what is read, one coordinates the group',
    async (fault) => {
      const spec = expiring(3);
      await log.ensureTopics([spec]);
      const reader = follow(log, spec.name, fresh('g'));
      let sent = 0;
      const round = async (): Promise<void> => {
        for (const partition of [0, 1, 2]) {
          const [record] = records(`${(sent += 1)}`);
          for (let done = false; record && !done;)
            done = await log.append(spec.name, partition, [record]).then(
              () => true,
              () => false,
            ); // leaders move
        }
        await until(
          () => new Set(reader.seen).size === sent,
          25_000,
          () => `for ${sent} records, saw ${reader.seen.join(', ')}`,
        );
      };
      await round();
      for (const node of cluster.nodes) {
        await node[fault]();
        await round();
        await (fault === 'kill' ? node.start() : node.resume());
        await round();
      }
      await reader.stop();
    },
    240_000,
  );

  it('begins though the first broker it knows accepts connections and answers nothing', async () => {
    const spec = expiring(3);
    await log.ensureTopics([spec]);
    await log.append(spec.name, 0, records('a'));
    await cluster.nodes[0]?.pause();
    const beginning = openLog({
      brokers: cluster.bootstrap,
      replicationFactor: 3,
      timing: { requestMs: 2000, connectMs: 1000, appendMs: 4000 },
    });
    try {
      const reader = follow(beginning, spec.name, fresh('g'));
      await until(() => reader.seen.length === 1, 30_000);
      await reader.stop();
    } finally {
      await cluster.nodes[0]?.resume();
      await beginning.close();
    }
  });
});

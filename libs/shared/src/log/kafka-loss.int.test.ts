import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { faultySockets } from '@ovn-steward/testbed/kafka/faulty-sockets';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors';
import { type KafkaLogOptions, openKafkaLog } from './kafka-log';
import type { AppendAck, Log, LogRecord, NewRecord, TopicSpec } from './log';
import { readAll } from './log-bench';

const DAY_MS = 86_400_000;
let topicsMade = 0;

/** The records of the batch `name`: `size` of them. */
const batch = (name: number, size = 5): NewRecord[] =>
  Array.from({ length: size }, (_, at) => ({
    key: `${at}`,
    value: `${name}.${at}`,
    timestamp: Date.now(),
  }));
const batchOf = ({ value }: LogRecord): number => Math.floor(Number(value?.toString()));

interface Sent {
  readonly records: readonly NewRecord[];
  readonly ack: AppendAck;
}

/** As whoever appends has to: the same again while nobody knows. */
async function insist(
  log: Log,
  topic: string,
  partition: number,
  records: readonly NewRecord[],
  until = Date.now() + 60_000,
): Promise<Sent> {
  for (;;) {
    try {
      return { records, ack: await log.append(topic, partition, records) };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'log-unavailable' || Date.now() > until)
        throw error;
      await sleep(50);
    }
  }
}

/** What was acknowledged is where the acknowledgement says; and no batch has parts. */
function expectAll(kept: readonly LogRecord[], sent: readonly Sent[]): void {
  const byOffset = new Map(kept.map((it) => [it.offset, it.value?.toString()]));
  const missing = sent.flatMap(({ records, ack }) =>
    records
      .map(({ value }, at) => ({ value, offset: ack.first + BigInt(at) }))
      .filter(({ value, offset }) => byOffset.get(offset) !== value),
  );
  expect(missing).toEqual([]);
  const copies = new Map<string, number>();
  for (const { value } of kept) copies.set(String(value), (copies.get(String(value)) ?? 0) + 1);
  for (const { records } of sent)
    expect(new Set(records.map(({ value }) => copies.get(String(value)))).size).toBe(1);
}

/** Nothing came after what was sent after it: a reader, and compaction, end with the newest. */
const expectOrder = (kept: readonly LogRecord[]): void => {
  const order = kept.map(batchOf);
  expect(order).toEqual([...order].sort((a, b) => a - b));
};

describeWith(kafka, 'the Kafka adapter, with a broker that fails', () => {
  let cluster: KafkaCluster;
  let clean: Log;
  const logs: Log[] = [];
  beforeAll(async () => {
    cluster = await startKafka();
    clean = openKafkaLog({ brokers: cluster.bootstrap, clientId: 'test', replicationFactor: 1 });
  }, 180_000);
  afterEach(() => Promise.all(logs.splice(0).map((log) => log.close())));
  afterAll(async () => {
    await clean?.close();
    await cluster?.stop();
  });

  const topic = async (): Promise<string> => {
    const spec: TopicSpec = {
      name: `loss-${process.pid}-${(topicsMade += 1)}`,
      partitions: 1,
      cleanup: 'compact',
      minCompactionLagMs: 10 * DAY_MS,
      maxCompactionLagMs: 20 * DAY_MS,
      deleteRetentionMs: DAY_MS,
      maxMessageBytes: 100_000,
    };
    await clean.ensureTopics([spec]);
    return spec.name;
  };
  const open = (more: Partial<KafkaLogOptions> = {}): Log => {
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
      ...more,
    });
    logs.push(log);
    return log;
  };
  const faulty = (
    timing: KafkaLogOptions['timing'] = {},
  ): { log: Log; sockets: ReturnType<typeof faultySockets> } => {
    const sockets = faultySockets();
    return { log: open({ timing, socketFactory: sockets.socketFactory }), sockets };
  };

  it.each(['cut', 'swallow'] as const)(
    'sends again by itself when a response is lost (%s), and appends once',
    async (then) => {
      const name = await topic();
      const { log, sockets } = faulty({ requestMs: 500 });
      const sent: Sent[] = [];
      for (let n = 0; n < 30; n += 1) {
        if (n % 10 === 5) sockets.dropResponses('Produce', 1, then);
        const records = batch(n);
        sent.push({ records, ack: await log.append(name, 0, records) });
      }
      const kept = await readAll(clean, name);
      expectAll(kept, sent);
      expectOrder(kept);
      expect(kept).toHaveLength(30 * 5);
      expect(sockets.counts('Produce').dropped).toBe(3);
    },
  );

  it.each([
    ['as large', 5],
    ['larger', 8],
    ['smaller', 2],
  ])(
    'loses nothing of the next batch, %s, when it gives one up that was appended',
    async (_, size) => {
      const name = await topic();
      const { log, sockets } = faulty({ requestMs: 200, appendMs: 600, retryMs: 50 });
      await log.append(name, 0, batch(0));
      sockets.dropResponses('Produce', 1000, 'swallow');
      await expect(log.append(name, 0, batch(1))).rejects.toMatchObject({
        code: 'log-unavailable',
      });
      sockets.dropResponses('Produce', 0);
      const sent: Sent[] = [];
      for (let n = 2; n < 6; n += 1) {
        const records = batch(n, size);
        sent.push({ records, ack: await log.append(name, 0, records) });
      }
      const kept = await readAll(clean, name);
      expectAll(kept, sent);
      expectOrder(kept);
      expect(kept.map(batchOf).filter((it) => it > 1)).toEqual(
        [2, 3, 4, 5].flatMap((n) => Array.from({ length: size }, () => n)),
      );
    },
  );

  it('loses nothing of many batches at once, and keeps their order, when responses are lost', async () => {
    const name = await topic();
    const { log, sockets } = faulty({ requestMs: 200, appendMs: 1000, retryMs: 50 });
    const waves = Array.from({ length: 12 }, (_, wave) => wave);
    const sent: Sent[] = [];
    for (const wave of waves) {
      sockets.dropResponses(
        'Produce',
        wave % 3 === 2 ? 1000 : wave % 2,
        wave % 2 ? 'cut' : 'swallow',
      );
      const batches = Array.from({ length: 10 }, (_, n) => batch(wave * 10 + n, 1 + (n % 4)));
      const settled = await Promise.allSettled(
        batches.map((records) => log.append(name, 0, records)),
      );
      sockets.dropResponses('Produce', 0);
      for (const [at, result] of settled.entries()) {
        const records = batches[at] ?? [];
        sent.push(
          result.status === 'fulfilled'
            ? { records, ack: result.value }
            : await insist(log, name, 0, records),
        );
      }
    }
    const kept = await readAll(clean, name);
    expectAll(kept, sent);
    const firstSeen = [...new Set(kept.map(batchOf))];
    expect(firstSeen).toEqual(Array.from({ length: 120 }, (_, n) => n));
    expect(new Map(kept.map((it) => [it.key, batchOf(it)])).get('0')).toBe(119); // the newest of a key is the last
  });

  it('gives up what waits behind a batch that it gives up, so that it does not come before that is sent again', async () => {
    const name = await topic();
    const { log, sockets } = faulty({ requestMs: 5000, appendMs: 300 });
    await log.append(name, 0, batch(0));
    sockets.dropResponses('Produce', 1, 'swallow');
    const batches = Array.from({ length: 10 }, (_, n) => batch(n + 1));
    const settled = await Promise.allSettled(
      batches.map((records) => log.append(name, 0, records)),
    );
    expect(settled.map(({ status }) => status)).toEqual(batches.map(() => 'rejected'));
    const sent: Sent[] = [];
    for (const records of batches) sent.push(await insist(log, name, 0, records));
    const kept = await readAll(clean, name);
    expectAll(kept, sent);
    expectOrder(kept);
  });

  it('lets nothing of a batch that was given up arrive after what was sent since', async () => {
    const name = await topic();
    const { log, sockets } = faulty({ requestMs: 5000, appendMs: 300, retryMs: 400 });
    await log.append(name, 0, batch(0));
    sockets.refuseConnections(true);
    sockets.cutConnections(); // the client waits, and would try again when there is a way
    await expect(log.append(name, 0, batch(1))).rejects.toMatchObject({ code: 'log-unavailable' });
    sockets.refuseConnections(false);
    const sent: Sent[] = [];
    for (let n = 2; n < 40; n += 1) {
      sent.push(await insist(log, name, 0, batch(n)));
      await sleep(100);
    }
    const kept = await readAll(clean, name);
    expectAll(kept, sent);
    expectOrder(kept);
  });

  it('has a broker refuse a batch that was given up, when it reads that after what was sent since', async () => {
    const name = await topic();
    const { log, sockets } = faulty({ requestMs: 5000, appendMs: 300 });
    const sent = [await insist(log, name, 0, batch(0))];
    for (let n = 1; n < 9; n += 2) {
      sockets.holdRequests('Produce', 1);
      await expect(log.append(name, 0, batch(n))).rejects.toMatchObject({
        code: 'log-unavailable',
      });
      sent.push(await insist(log, name, 0, batch(n)), await insist(log, name, 0, batch(n + 1)));
      await sockets.deliverHeld();
    }
    const kept = await readAll(clean, name);
    expectAll(kept, sent);
    expectOrder(kept);
  });

  it('gives up in time what is not answered at all', async () => {
    const name = await topic();
    // A request's own patience would outlast this test.
    const { log, sockets } = faulty({ requestMs: 600_000, appendMs: 500 });
    await log.append(name, 0, batch(0));
    sockets.dropResponses('Produce', 1000, 'swallow');
    await expect(log.append(name, 0, batch(1))).rejects.toMatchObject({
      code: 'log-unavailable',
      message: expect.stringContaining(`${name}/0`),
    });
    sockets.dropResponses('Produce', 0);
    const again = await insist(log, name, 0, batch(1));
    expectAll(await readAll(clean, name), [again]);
  });

  it.each<[string, (cluster: KafkaCluster) => Promise<void>]>([
    [
      'killed and started again',
      async ({ nodes: [node] }) => {
        await node?.kill();
        await sleep(1000);
        await node?.start();
      },
    ],
    [
      'silent for a while',
      async ({ nodes: [node] }) => {
        await node?.pause();
        await sleep(4000);
        await node?.resume();
      },
    ],
  ])('keeps what it acknowledged, in order, while the broker is %s', async (_, disturb) => {
    const name = await topic();
    const log = open({ timing: { requestMs: 2000, appendMs: 3000 } });
    const sent: Sent[] = [];
    let disturbing: Promise<boolean> | undefined;
    let over = false;
    for (let n = 0; !over || n < 200; n += 1) {
      if (n === 100) disturbing = disturb(cluster).then(() => (over = true));
      sent.push(await insist(log, name, 0, batch(n)));
    }
    await disturbing;
    const kept = await readAll(clean, name);
    expectAll(kept, sent);
    expectOrder(kept);
    expect(kept.length).toBeLessThan((sent.length + 20) * 5);
  });
});

describeWith(kafka, 'the Kafka adapter, with a broker that closes what is idle', () => {
  it('goes on after a pause as if there had been none', async () => {
    const cluster = await startKafka({ properties: { 'connections.max.idle.ms': '1000' } });
    const events: string[] = [];
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
      onEvent: ({ detail }) => events.push(detail),
    });
    try {
      const spec: TopicSpec = {
        name: 'quiet',
        partitions: 1,
        cleanup: 'compact',
        minCompactionLagMs: DAY_MS,
        maxCompactionLagMs: 2 * DAY_MS,
        deleteRetentionMs: DAY_MS,
        maxMessageBytes: 100_000,
      };
      for (const [n, pause] of [3000, 3000, 0].entries()) {
        await log.ensureTopics([spec]);
        const { next } = await log.append('quiet', 0, batch(n));
        await log.commit('g', [{ topic: 'quiet', partition: 0, offset: next }]);
        expect(await log.committed('g')).toEqual([{ topic: 'quiet', partition: 0, offset: next }]);
        expect(await readAll(log, 'quiet')).toHaveLength((n + 1) * 5);
        // A broker that has just started may still be loading its groups: only what comes after a
        // pause is asked about.
        if (n === 0) events.length = 0;
        await sleep(pause);
      }
      expect(events).toEqual([]);
    } finally {
      await log.close();
      await cluster.stop();
    }
  });
});

describeWith(kafka, 'the Kafka adapter, with three brokers of which one fails', () => {
  let cluster: KafkaCluster;
  beforeAll(async () => {
    cluster = await startKafka({ brokers: 3 });
  }, 180_000);
  afterAll(() => cluster?.stop());

  it('keeps what it acknowledged, in order and in its partition, when the leaders of some partitions are killed', async () => {
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 3,
    });
    await log.ensureTopics([
      {
        name: 'copied',
        partitions: 6,
        cleanup: 'compact',
        minCompactionLagMs: 10 * DAY_MS,
        maxCompactionLagMs: 20 * DAY_MS,
        deleteRetentionMs: DAY_MS,
        maxMessageBytes: 100_000,
      },
    ]);
    let over = false;
    const started = Array.from({ length: 6 }, async (_, partition) => {
      const sent: Sent[] = [];
      for (let n = 0; !over || n < 60; n += 1)
        sent.push(await insist(log, 'copied', partition, batch(partition * 1_000_000 + n)));
      return sent;
    });
    await sleep(1000);
    const [victim] = cluster.nodes;
    await victim?.kill();
    await sleep(3000);
    await victim?.start();
    over = true;
    const all = await Promise.all(started);
    for (const [partition, sent] of all.entries()) {
      const kept = await readAll(log, 'copied', partition);
      expectAll(kept, sent);
      expectOrder(kept);
      expect(kept.every((it) => Math.floor(batchOf(it) / 1_000_000) === partition)).toBe(true);
    }
    await log.close();
  }, 180_000);
});

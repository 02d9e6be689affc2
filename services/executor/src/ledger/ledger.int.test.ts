import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { retryOf } from '@ovn-steward/shared/errors';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { ACTIONS, FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { until } from '@ovn-steward/shared/testing/until';
import { Ledger } from './ledger';
import { action, decision, undoOf } from '../testing/actions';
import { CLUSTER, PARTITION } from '../testing/findings';
import { fitsTopic } from './action-record';
import { catchUpLedger } from './catch-up';
import { createPublisher } from './publish';

const MIB = 1_048_576;
const SIGNAL = new AbortController().signal;
const clock = (): Date => new Date();

describeWith(kafka, 'ledgers of two executors on Kafka', () => {
  let cluster: KafkaCluster;
  const logs: Log[] = [];

  beforeAll(async () => {
    cluster = await startKafka();
    await open().ensureTopics(TOPICS);
  });
  afterAll(async () => {
    await Promise.all(logs.map((it) => it.close()));
    await cluster?.stop();
  });

  function open(): Log {
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
      timing: { queryMs: 5000, appendMs: 5000 },
    });
    logs.push(log);
    return log;
  }
  const executor = (log = open()) => {
    const ledger = new Ledger(openStateFile(':memory:'));
    const publisher = createPublisher({ log, ledger, clock });
    return {
      log,
      ledger,
      caughtUp: () => catchUpLedger({ log, ledger, partition: PARTITION, clock, signal: SIGNAL }),
      publish: () => publisher.publishNow(PARTITION, SIGNAL),
    };
  };
  const inLog = async (log: Log, id: string): Promise<ActionRecord[]> => {
    const all: ActionRecord[] = [];
    const { high } = await log.watermarks(ACTIONS, PARTITION);
    for (let from = 0n; from < high;) {
      const { records, next } = await log.read(ACTIONS, PARTITION, from, 500);
      all.push(
        ...records
          .filter((it) => it.key === id)
          .map((it) => JSON.parse(String(it.value)) as ActionRecord),
      );
      from = next;
    }
    return all;
  };

  test('one claims and dies; the other sees the claim with what undoes it, and ends it', async () => {
    const a = executor();
    const b = executor();
    await a.caughtUp();
    a.ledger.write([action('dies')]);
    await a.publish();
    await b.caughtUp();
    expect(b.ledger.open(CLUSTER)).toEqual([action('dies')]);
    b.ledger.write([action('dies', { revision: 2, state: 'done', executor: 'executor-b' })]);
    await b.publish();
    await a.caughtUp();
    expect([a.ledger.open(CLUSTER), a.ledger.get(decision('dies').id)?.undo]).toEqual([
      [],
      undoOf('dies'),
    ]);
  });

  test('one is paused before its claim is sent: it hears that another was first, and must not act', async () => {
    const a = executor();
    const b = executor();
    await a.caughtUp();
    await b.caughtUp();
    a.ledger.write([action('paused')]);
    b.ledger.write([action('paused', { executor: 'executor-b' })]);
    await b.publish();
    await expect(a.publish()).rejects.toMatchObject({ code: 'log-partition-lost' });
    await a.publish();
    expect(a.ledger.get(decision('paused').id)?.executor).toBe('executor-b');
    expect((await inLog(a.log, decision('paused').id)).map((it) => it.executor)).toEqual([
      'executor-b',
      'executor-a',
      'executor-b',
    ]);
  });

  test('the broker dies while claims are sent: none is acknowledged that is not there, and after the same again all agree', async () => {
    const a = executor();
    const b = executor();
    await a.caughtUp();
    const acknowledged: string[] = [];
    const claim = async (port: string): Promise<void> => {
      a.ledger.write([action(port)]);
      for (;;) {
        try {
          await a.publish();
          acknowledged.push(decision(port).id);
          return;
        } catch (error) {
          if (retryOf(error, 'never') === 'never') throw error;
          await sleep(200);
        }
      }
    };
    const killed = (async () => {
      await sleep(300);
      await cluster.nodes[0]?.kill();
      await sleep(1000);
      await cluster.nodes[0]?.start();
    })();
    for (let n = 0; n < 100; n += 1) await claim(`kill-${n}`);
    await killed;
    expect(acknowledged).toHaveLength(100);
    await b.caughtUp();
    expect(new Set(b.ledger.open(CLUSTER).map((it) => it.id))).toEqual(
      new Set(a.ledger.open(CLUSTER).map((it) => it.id)),
    );
    expect(acknowledged.filter((id) => b.ledger.get(id)?.state !== 'claimed')).toEqual([]);
  });

  test('an undo record as large as may be comes back whole, and what is larger is reported before it is written', async () => {
    const large = (mib: number): ActionRecord =>
      action('large', { undo: undoOf('large', { addresses: 'x'.repeat(mib * MIB) }) });
    expect([fitsTopic(large(7)), fitsTopic(large(8))]).toEqual([true, false]);
    const a = executor();
    const b = executor();
    await a.caughtUp();
    a.ledger.write([large(7), { ...large(7), revision: 2, state: 'done' }]);
    await a.publish();
    await b.caughtUp();
    expect(b.ledger.get(decision('large').id)).toEqual({ ...large(7), revision: 2, state: 'done' });
    expect(() => a.ledger.write([{ ...large(8), revision: 3 }])).toThrow(
      expect.objectContaining({ code: 'log-record-refused' }),
    );
  });

  test('a partition given to another: the fence refuses who had it', async () => {
    const a = executor();
    const b = executor();
    const done = [new AbortController(), new AbortController()] as const;
    const held: [Set<number>, Set<number>] = [new Set(), new Set()];
    const follow = (log: Log, who: 0 | 1): Promise<void> =>
      log.consume({
        group: `steward-executor-${CLUSTER}`,
        topics: [FINDINGS],
        signal: done[who].signal,
        onBatch: async () => undefined,
        resumeAt: (_, partition) => {
          held[who].add(partition);
          return 0n;
        },
        onRevoked: (_, partition) => void held[who].delete(partition),
      });
    const fence = (log: Log, partition: number): Promise<void> =>
      log.commit(`steward-executor-${CLUSTER}`, [{ topic: FINDINGS, partition, offset: 0n }]);
    const first = follow(a.log, 0);
    await until(() => held[0].size === 12);
    await fence(a.log, 0);
    const second = follow(b.log, 1);
    await until(() => held[1].size > 0 && held[0].size + held[1].size === 12);
    const [taken] = held[1];
    await expect(fence(a.log, taken!)).rejects.toMatchObject({ code: 'log-partition-lost' });
    await fence(b.log, taken!);
    for (const it of done) it.abort();
    await Promise.all([first, second]);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession, operation, parseRemotes, type Session } from '@ovn-steward/ovsdb';
import { findingIn } from '@ovn-steward/contracts/findings/finding-codec';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import { startKafka } from '@ovn-steward/testbed/kafka';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { Kafka, logLevel } from 'kafkajs';
import { type RunningService, startService } from '../running-service';

export interface Latency {
  readonly changes: number;
  readonly p50: number;
  /**
   * Seconds from the moment a transaction is sent to ovsdb-server to its finding's arrival at a
   * subscriber.
   */
  readonly p99: number;
  readonly max: number;
}

const PER_SECOND = 200;
const WARM_UP_SECONDS = 5;
/**
 * A port that went before anybody read it would be no finding: so many others come in between, ten
 * seconds' worth.
 */
const STAYS = 1000;
const SWITCH = 'apps';

/** 200 changes a second for so many seconds: ports of pods that do not exist come, and go again. */
export async function measureLatency(forSeconds: number): Promise<Latency> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const broker = await startKafka();
  const nb = await startOvnStandalone({ database: recording('clean', 'nb.db') });
  const running: RunningService[] = [];
  try {
    const shared = {
      cluster: 'bench',
      'kafka.brokers': broker.bootstrap.join(','),
      'kafka.replicationFactor': '1',
      'log.level': 'warn',
    };
    running.push(
      await startService('collector', {
        ...shared,
        stateDir: join(folder, 'collector'),
        'ovnNb.remote': nb.remote,
        'kubernetes.recording': recording('clean', 'kubernetes.json').replace(
          /kubernetes\.json$/,
          '',
        ),
      }),
      await startService('analyzer', { ...shared, stateDir: join(folder, 'analyzer') }),
    );
    await Promise.all(running.map((it) => it.ready()));
    const arrivals = await listen(broker.bootstrap);
    const [remote] = parseRemotes(nb.remote);
    const session = await openSession(remote!, { database: 'OVN_Northbound' });
    const sent = await drive(session, PER_SECOND * (WARM_UP_SECONDS + forSeconds));
    session.close();
    for (
      const end = Date.now() + 30_000;
      sent.some(({ uuid }) => !arrivals.seen.has(uuid));
      await sleep(100)
    ) {
      if (Date.now() > end)
        throw new Error(
          `${sent.filter(({ uuid }) => !arrivals.seen.has(uuid)).length} of ${sent.length} ports were never found`,
        );
    }
    await arrivals.stop();
    const counted = sent.slice((PER_SECOND * WARM_UP_SECONDS) / 2);
    const late = counted
      .map(({ uuid, at }) => (arrivals.seen.get(uuid)! - at) / 1000)
      .sort((a, b) => a - b);
    const quantile = (q: number): number =>
      late[Math.min(late.length - 1, Math.floor(late.length * q))]!;
    return {
      changes: 2 * counted.length,
      p50: quantile(0.5),
      p99: quantile(0.99),
      max: late.at(-1)!,
    };
  } finally {
    await Promise.all(running.map((it) => it.end()));
    await Promise.all([nb.stop(), broker.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Each second transaction adds a port, the others take away one added a while ago. Sent at even
 * intervals, answered or not.
 */
async function drive(
  session: Session,
  changes: number,
): Promise<{ readonly uuid: string; readonly at: number }[]> {
  const sent: { uuid: string; at: number }[] = [];
  const answers: Promise<unknown>[] = [];
  const where: readonly operation.Condition[] = [['name', '==', SWITCH]];
  const begin = performance.now();
  for (let n = 0; n < changes; n += 1) {
    await sleep(Math.max(0, begin + (n * 1000) / PER_SECOND - performance.now()));
    if (n % 2 === 0) {
      const uuid = randomUUID();
      const ids = operation.map([
        ['vendor', 'kube-ovn'],
        ['ls', SWITCH],
        ['pod', `shop/nobody-${n}`],
      ]);
      answers.push(
        session.transact([
          operation.insert(
            'Logical_Switch_Port',
            { name: `nobody-${n}.shop`, external_ids: ids },
            uuid,
          ),
          operation.mutate('Logical_Switch', where, [['ports', 'insert', operation.uuid(uuid)]]),
        ]),
      );
      sent.push({ uuid, at: performance.now() });
    } else {
      const old = sent[sent.length - STAYS]?.uuid ?? randomUUID();
      answers.push(
        session.transact([
          operation.mutate('Logical_Switch', where, [['ports', 'delete', operation.uuid(old)]]),
        ]),
      );
    }
  }
  await Promise.all(answers);
  return sent;
}

/** When the first finding about each row arrived, by the row's uuid. */
async function listen(
  brokers: readonly string[],
): Promise<{ readonly seen: ReadonlyMap<string, number>; stop(): Promise<void> }> {
  const consumer = new Kafka({
    clientId: 'subscriber',
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
  }).consumer({ groupId: 'subscriber', maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic: FINDINGS, fromBeginning: true });
  const joined = new Promise<void>((resolve) => {
    consumer.on(consumer.events.GROUP_JOIN, () => resolve());
  });
  const seen = new Map<string, number>();
  await consumer.run({
    eachBatch: async ({ batch }) => {
      const now = performance.now();
      for (const { value } of batch.messages) {
        const uid = value && findingIn(value.toString()).subject.uid;
        if (uid && !seen.has(uid)) seen.set(uid, now);
      }
    },
  });
  await joined;
  return { seen, stop: () => consumer.disconnect() };
}

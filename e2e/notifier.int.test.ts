import { Kafka } from 'cloudevents';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { encodeAction } from '@ovn-steward/contracts/actions/action-codec';
import { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import { encodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { Notification } from '@ovn-steward/contracts/notifications/notification';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { ACTIONS, FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type Service, startService } from './support/service';
import { until } from '@ovn-steward/shared/testing/until';
import { isCloudEvent } from '@ovn-steward/contracts/testing/is-cloud-event';

const EXAMPLE = Finding.parse(
  JSON.parse(
    readFileSync(join(__dirname, '../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
  ),
);
const ACTION = ActionRecord.parse(
  JSON.parse(readFileSync(join(__dirname, '../contracts/examples/action.v1.done.json'), 'utf8')),
);
const PARTITION = partitionOf(EXAMPLE.cluster, PARTITIONS);
const CAUSES = 40;
const QUICK = { wait: '200ms', every: '1s', perMinute: 1200 };
const BOTH = { about: ['findings', 'actions'], ...QUICK };
const EVENT_TOPICS = ['events', 'events-binary'];

interface ReceivedEvent {
  readonly id: string;
  readonly subject: string;
  readonly type: string;
  readonly data: Notification | ActionsNotification;
}

/** As a subscriber reads it with the SDK of CloudEvents, in either mode. */
function eventOf({ value, headers }: LogRecord): ReceivedEvent {
  const message = { value: String(value), headers, body: undefined };
  return JSON.parse(JSON.stringify(Kafka.toEvent(message))) as ReceivedEvent;
}

describeWith(kafka, 'with Kafka, the notifier', () => {
  let folder: string;
  let brokers: KafkaCluster;
  let log: Log;
  let notifier: Service;
  const received: Notification[] = [];
  const acted: ActionsNotification[] = [];
  const sink = createServer((request, response) => {
    let text = '';
    request.on('data', (it) => (text += String(it)));
    request.on('end', () => {
      const body = JSON.parse(text) as object;
      if ('about' in body) acted.push(ActionsNotification.parse(body));
      else received.push(Notification.parse(body));
      response.end();
    });
  });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-notifier-'));
    brokers = await startKafka();
    log = openKafkaLog({ brokers: brokers.bootstrap, clientId: 'test', replicationFactor: 1 });
    await log.ensureTopics(TOPICS);
    const events = { partitions: 3, cleanup: 'delete', retentionMs: 3_600_000 } as const;
    await log.ensureTopics(
      EVENT_TOPICS.map((name) => ({ name, ...events, maxMessageBytes: 1_048_576 })),
    );
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
    notifier = await startService('notifier', {
      settings: {
        stateDir: join(folder, 'state'),
        'kafka.brokers': brokers.bootstrap.join(','),
        'kafka.replicationFactor': '1',
        'notify.sinks': JSON.stringify({
          hook: { type: 'webhook', url, ...QUICK },
          acts: { type: 'webhook', about: ['actions'], url, wait: '50ms', perMinute: 1200 },
          structured: { type: 'kafka', topic: 'events', ...BOTH },
          binary: { type: 'kafka-binary', topic: 'events-binary', ...BOTH },
          absent: { type: 'kafka', topic: 'no-such-topic', ...QUICK },
        }),
      },
    });
    await notifier.ready();
  });
  afterAll(async () => {
    await notifier?.kill();
    await log?.close();
    await brokers?.stop();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const publish = (changes: (n: number) => Partial<Finding>): Promise<unknown> =>
    log.append(
      FINDINGS,
      PARTITION,
      Array.from({ length: CAUSES }, (_, n) => ({
        ...encodeFinding(
          {
            ...EXAMPLE,
            id: `f${n}`,
            cause: { kind: 'Pod', key: `shop/web-${n}`, text: `Pod shop/web-${n} is gone` },
            ...changes(n),
          },
          { analyzer: 'test', changes: '0' },
        ),
        timestamp: Date.now(),
      })),
    );
  const sentOf = (state: string): Set<string> =>
    new Set(received.filter((it) => it.state === state).map((it) => it.id));

  test('sends each cause once and once that it is over, through kills at any moment', async () => {
    for (const state of ['open', 'resolved'] as const) {
      await publish(() =>
        state === 'open' ? { revision: 2 } : { revision: 3, state: 'resolved' },
      );
      for (let kills = 0; kills < 3; kills += 1) {
        const before = received.length;
        await until(
          () => received.length > before + 4 || sentOf(state).size === CAUSES,
          () => `five more notifications than ${before}: there are ${received.length}`,
        );
        await notifier.kill();
        notifier.start();
      }
      await until(
        () => sentOf(state).size === CAUSES,
        () => `${CAUSES} causes that are ${state}: ${sentOf(state).size} were sent`,
      );
    }
    await sleep(1500); // in which one too many would come
    expect([sentOf('open').size, sentOf('resolved').size]).toEqual([CAUSES, CAUSES]);
    const repeated = received.length - new Set(received.map((it) => it.id)).size;
    expect(repeated).toBeLessThanOrEqual(6); // at most the one in hand, for each of six kills
    const metrics = await (await fetch(`${notifier.url}/metrics`)).text();
    expect(metrics).toMatch(/^steward_notifier_waiting_groups\{sink="hook"\} \d+$/m);
    const status = (await (await fetch(`${notifier.url}/status`)).json()) as { sinks: object[] };
    expect(status.sinks).toEqual([
      expect.objectContaining({ name: 'hook', type: 'webhook', failure: null }),
      expect.objectContaining({ name: 'acts', type: 'webhook', failure: null }),
      expect.objectContaining({ name: 'structured', type: 'kafka', failure: null }),
      expect.objectContaining({ name: 'binary', type: 'kafka-binary', failure: null }),
      expect.objectContaining({ failure: expect.stringContaining('no-such-topic') }),
    ]);
  }, 180_000);

  test('sends each action of the executor once, through kills at any moment', async () => {
    const actions = Array.from({ length: CAUSES }, (_, n) => ({
      ...ACTION,
      id: `act-${n}`,
      plan: `plan-${n}`,
      at: new Date().toISOString(),
    }));
    await log.append(
      ACTIONS,
      PARTITION,
      actions.map((it) => encodeAction(it, Date.now())),
    );
    const notified = (): string[] => acted.flatMap((it) => it.actions.map(({ id }) => id));
    for (let kills = 0; kills < 3; kills += 1) {
      const before = acted.length;
      await until(
        () => acted.length > before + 4 || new Set(notified()).size === CAUSES,
        () => `five more actions than ${before}: there are ${acted.length}`,
      );
      await notifier.kill();
      notifier.start();
    }
    await until(
      () => new Set(notified()).size === CAUSES,
      () => `${CAUSES} actions: ${new Set(notified()).size} were sent`,
    );
    await sleep(1500); // in which one too many would come
    expect(new Set(notified())).toEqual(new Set(actions.map(({ id }) => id)));
    expect(new Set(acted.map((it) => it.id)).size).toBe(CAUSES); // what came twice has one id
    expect(acted.length - CAUSES).toBeLessThanOrEqual(3); // at most the one in hand, for each kill
  }, 180_000);

  const recordsOf = async (topic: string): Promise<readonly LogRecord[]> => {
    const all: LogRecord[] = [];
    for (let from = 0n; ;) {
      const batch = await log.read(topic, 0, from, 1000);
      if (batch.records.length === 0 && batch.next === from) return all;
      all.push(...batch.records);
      from = batch.next;
    }
  };
  /** The newest event of each group, as a compacted topic keeps them. */
  const newestOf = async (topic: string): Promise<readonly ReceivedEvent[]> => [
    ...new Map((await recordsOf(topic)).map((it) => [it.key, eventOf(it)])).values(),
  ];

  test('writes findings and actions as CloudEvents to topics, in both modes, through kills', async () => {
    for (const state of ['open', 'resolved'] as const) {
      await publish(() =>
        state === 'open' ? { revision: 4 } : { revision: 5, state: 'resolved' },
      );
      await notifier.kill();
      notifier.start();
      for (const topic of EVENT_TOPICS)
        for (let waited = 0; ; waited += 500) {
          const stands = (await newestOf(topic)).filter(({ data }) => data.state === state);
          if (stands.length === CAUSES) break;
          if (waited > 60_000) throw new Error(`${topic}: ${stands.length} are ${state}`);
          await sleep(500);
        }
    }
    for (const topic of EVENT_TOPICS) {
      const acts = new Set<string>();
      for (const record of await recordsOf(topic)) {
        const event = eventOf(record);
        expect([isCloudEvent(event), isCloudEvent.errors]).toEqual([true, null]);
        const isAction = event.type === 'dev.ovn-steward.actions-notification.v1';
        const { id } = (isAction ? ActionsNotification : Notification).parse(event.data);
        expect([event.subject, event.id]).toEqual([record.key, id]);
        if (isAction) acts.add(id);
      }
      expect([topic, acts.size]).toEqual([topic, CAUSES]);
    }
    const [structured, binary] = await Promise.all(EVENT_TOPICS.map(recordsOf));
    expect(structured![0]!.headers).toEqual({ 'content-type': 'application/cloudevents+json' });
    const { 'content-type': type, ...attributes } = binary![0]!.headers;
    expect(type).toBe('application/json');
    expect(Object.keys(attributes).sort()).toEqual(
      ['id', 'source', 'specversion', 'subject', 'time', 'type', 'dataschema']
        .map((it) => `ce_${it}`)
        .sort(),
    );
  }, 240_000);

  test('does not start where nobody is to be notified, and says what to set', async () => {
    const idle = await startService('notifier', {
      settings: {
        stateDir: join(folder, 'idle'),
        'kafka.brokers': brokers.bootstrap.join(','),
      },
    });
    await until(() => idle.output().includes('notify.sinks'), idle.output);
    await idle.kill();
  });
});

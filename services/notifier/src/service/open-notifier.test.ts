import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionRecord, type ActionState } from '@ovn-steward/contracts/actions/action';
import { encodeAction } from '@ovn-steward/contracts/actions/action-codec';
import { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { ACTIONS, FINDINGS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { until } from '@ovn-steward/shared/testing/until';
import { finding, NOW, PARTITION, published } from '../testing/findings';
import { type NotifierBed, openNotifierBed } from '../testing/notifier-bed';
import type { SinkServer } from '../testing/sink-server';
import {
  NOTIFIER_FILE,
  type NotifierEvent,
  type OpenNotifier,
  openNotifier,
} from './open-notifier';

const EXAMPLE = ActionRecord.parse(
  JSON.parse(
    readFileSync(join(__dirname, '../../../../contracts/examples/action.v1.done.json'), 'utf8'),
  ),
);

let bed: NotifierBed;
let log: Log;
let sink: SinkServer;
beforeEach(async () => {
  bed = await openNotifierBed();
  ({ log, sink } = bed);
});
afterEach(() => bed.close());

/** Runs a notifier until `use` is done; then it is closed, as its process would end. */
async function running(
  sinks: Record<string, object>,
  use: (events: readonly NotifierEvent[]) => Promise<unknown>,
): Promise<void> {
  const whole = Object.entries(sinks).map(([name, options]) => [
    name,
    { type: 'webhook', url: sink.url, perMinute: 6000, wait: '1s', every: '1s', ...options },
  ]);
  const settings = Settings.parse({
    stateDir: bed.folder,
    cluster: 'berlin-1',
    notify: { sinks: Object.fromEntries(whole) as object },
  });
  const events: NotifierEvent[] = [];
  const stop = new AbortController();
  const notifier = openNotifier({
    settings,
    log,
    clock: () => new Date(bed.now),
    onEvent: (event) => void events.push(event),
  });
  const ended = notifier.run(stop.signal);
  try {
    await use(events);
  } finally {
    stop.abort();
    await ended;
    notifier.close();
  }
}

const action = (
  id: string,
  state: ActionState,
  changes: Partial<ActionRecord> = {},
): ActionRecord => ({
  ...EXAMPLE,
  id,
  state,
  at: new Date(bed.now).toISOString(),
  ...changes,
});
const publish = (...actions: readonly ActionRecord[]): Promise<unknown> =>
  log.append(
    ACTIONS,
    PARTITION,
    actions.map((it) => encodeAction(it, NOW.getTime())),
  );
const sent = (): ActionsNotification[] =>
  sink.received.map((it) => ActionsNotification.parse(it.body));
/** Whether the actions were read to their end. */
const read = async (): Promise<void> => {
  const { high } = await log.watermarks(ACTIONS, PARTITION);
  await until(() => committed >= high);
};
let committed = 0n;
beforeEach(() => {
  committed = 0n;
  const commit = log.commit.bind(log);
  log.commit = async (group, positions) => {
    await commit(group, positions);
    for (const { topic, partition, offset } of positions)
      if (topic === ACTIONS && partition === PARTITION) committed = offset;
  };
});

const ACTED = { all: { about: ['actions'] } };

test('actions of one state, rule and subnet come together, each once, steps on the way never', async () => {
  await running(ACTED, async () => {
    await publish(
      action('a', 'claimed', { revision: 1 }),
      action('a', 'done', { revision: 2 }),
      action('b', 'done', { revision: 2 }),
      action('c', 'failed', { revision: 2, reason: 'Kubernetes refused it.' }),
      action('d', 'observed'),
    );
    await read();
    expect(sink.received).toEqual([]);
    bed.now += 1_000;
    await until(() => sink.received.length === 2);
    await publish(action('a', 'undone', { revision: 3 }));
    await read();
    bed.now += 2_000;
    await until(() => sink.received.length === 3);
    await sleep(50); // in which one too many would come
  });
  expect(
    sent()
      .map((it) => [it.state, it.severity, it.count, it.actions.map((each) => each.id).join()])
      .sort(),
  ).toEqual([
    ['done', 'info', 2, 'a,b'],
    ['failed', 'warning', 1, 'c'],
    ['undone', 'info', 1, 'a'],
  ]);
});

test('nothing is lost or sent twice where it stops in between, or the log is read again', async () => {
  await running(ACTED, async () => {
    await publish(action('a', 'done'), action('b', 'done'));
    await read(); // and ends before anything is due
  });
  bed.now += 5_000;
  sink.answer = { status: 503 };
  await running(ACTED, (events) => until(() => events.some((it) => it.type === 'failed')));
  sink.answer = { status: 200 };
  bed.now += 60_000;
  await running(ACTED, async (events) => {
    await until(() => events.some((it) => it.type === 'delivered'));
  });
  expect(new Set(sent().map((it) => it.id)).size).toBe(1); // the same again until it was taken
  expect(sent().at(-1)).toMatchObject({ count: 2, state: 'done' });
  const before = sink.received.length;
  bed.now += 400 * 24 * 3_600_000; // longer than tombstones stay: it is read from the beginning
  await running(ACTED, async (events) => {
    await until(() => events.some((it) => it.type === 'rebuilding'));
    await publish(action('z', 'done'));
    await read();
    bed.now += 60_000;
    await until(() => sink.received.length > before);
  });
  expect(
    sent()
      .slice(before)
      .map((it) => it.actions.map((each) => each.id)),
  ).toEqual([['z']]);
});

test('what was done before the first start is not sent', async () => {
  await publish(action('old', 'done', { at: new Date(bed.now - 60_000).toISOString() }));
  await running(ACTED, async () => {
    await publish(action('new', 'done'));
    await read();
    bed.now += 60_000;
    await until(() => sink.received.length > 0);
  });
  expect(sent().flatMap((it) => it.actions.map((each) => each.id))).toEqual(['new']);
});

test('each sink gets what it wants: findings, actions or both, by its routes', async () => {
  const sinks = {
    findings: {},
    failures: { about: ['actions'], routes: [{ severity: 'warning' }] },
    leaks: { about: ['actions'], routes: [{ classes: ['leak'] }] },
    garbage: { about: ['actions'], routes: [{ classes: ['garbage'], states: ['done'] }] },
    both: { about: ['findings', 'actions'] },
  };
  await running(sinks, async (events) => {
    await log.append(FINDINGS, PARTITION, [published(finding('f'))]);
    await publish(action('a', 'done'), action('b', 'failed'));
    await read();
    await until(() => events.some((it) => it.type === 'caught-up' && it.partition === PARTITION));
    bed.now += 60_000;
    await until(() => sink.received.length === 6);
    await sleep(50);
  });
  const by = sink.received
    .map((it) => it.body as { sink: string; about?: string; state: string })
    .map((it) => `${it.sink} ${it.about ?? 'findings'} ${it.state}`);
  expect(by.sort()).toEqual([
    'both actions done',
    'both actions failed',
    'both findings open',
    'failures actions failed',
    'findings findings open',
    'garbage actions done',
  ]);
});

test('a state that cannot be made is not held: it is opened once the cause is gone', () => {
  const path = join(bed.folder, NOTIFIER_FILE);
  const own = openSqliteDatabase(path);
  own.exec('CREATE VIEW action_position AS SELECT 1');
  const settings = Settings.parse({
    stateDir: bed.folder,
    notify: { sinks: { s: { type: 'webhook', url: sink.url, about: ['actions'] } } },
  });
  const open = (): OpenNotifier =>
    openNotifier({ settings, log, clock: () => new Date(bed.now), onEvent: () => undefined });
  for (let attempt = 0; attempt < 2; attempt += 1) expect(open).toThrow(/use DROP VIEW/);
  own.exec('DROP VIEW action_position');
  own.close();
  open().close();
});

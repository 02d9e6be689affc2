import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import { CatchingUp } from '@ovn-steward/service/kafka/catching-up';
import { Failure } from '@ovn-steward/shared/errors';
import type { FollowTopicEvent } from '@ovn-steward/shared/log/follow-topic';
import type { Log } from '@ovn-steward/shared/log/log';
import { openStateFile, type StateFile } from '@ovn-steward/shared/log/state-file';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { until } from '@ovn-steward/shared/testing/until';
import { NotifierStore } from '../store/notifier-store';
import { finding, PARTITION, published } from '../testing/findings';
import { type NotifierBed, openNotifierBed } from '../testing/notifier-bed';
import { type SinkServer, startSink } from '../testing/sink-server';
import type { DeliveryEvent } from './deliver';
import { followAndDeliver } from './follow-and-deliver';

let bed: NotifierBed;
let log: Log;
let sink: SinkServer;
let file: StateFile;
beforeEach(async () => {
  bed = await openNotifierBed();
  ({ log, sink } = bed);
});
afterEach(() => bed.close());

/** Runs a notifier; what `use` needs is done meanwhile. */
async function running(
  use: (delivering: {
    events: (DeliveryEvent | FollowTopicEvent)[];
    store: NotifierStore;
    settled: () => Promise<void>;
  }) => Promise<unknown>,
  sinks: Record<string, object> = { chat: {} },
): Promise<void> {
  file = openStateFile(join(bed.folder, 'notifier.db'));
  const store = new NotifierStore(file);
  const events: (DeliveryEvent | FollowTopicEvent)[] = [];
  const stop = new AbortController();
  const progress = new CatchingUp({
    watermarks: (partition) => log.watermarks(FINDINGS, partition),
    position: (partition) => store.position(partition)?.next,
    onCaughtUp: () => undefined,
  });
  const ended = followAndDeliver(
    {
      log,
      store,
      progress,
      common: Settings.parse({ cluster: 'berlin-1' }),
      actions: undefined,
      sinks: Object.entries(sinks).map(([name, settings]) => ({
        name,
        settings: SinkSettings.parse({
          type: 'webhook',
          url: sink.url,
          perMinute: 6000,
          ...settings,
        }),
      })),
      clock: () => new Date(bed.now),
      onFollow: (event) => void events.push(event),
      onUnreadable: () => undefined,
      onDelivery: (event) => void events.push(event),
    },
    stop.signal,
  );
  const refresh = setInterval(() => void progress.refresh(), 5);
  /** Read to the end, and nothing that is due is left. */
  const settled = async (): Promise<void> => {
    const { high } = await log.watermarks(FINDINGS, PARTITION);
    await until(() => (store.position(PARTITION)?.next ?? 0n) >= high);
    await until(() =>
      Object.keys(sinks).every((name) => (store.next(name, [PARTITION])?.at ?? Infinity) > bed.now),
    );
  };
  try {
    await use({ events, store, settled });
  } finally {
    clearInterval(refresh);
    stop.abort();
    await ended;
    file.close();
  }
}

const publish = (...findings: Parameters<typeof published>[0][]): Promise<unknown> =>
  log.append(FINDINGS, PARTITION, findings.map(published));
const delivered = (): Notification[] => sink.received.map((it) => it.body as Notification);
const states = (): (string | number)[][] => delivered().map((it) => [it.state, it.open, it.added]);

test('what comes together is sent together, once, and again when it is over', () =>
  running(async ({ settled }) => {
    await publish(finding('a'), finding('b'), finding('c', { state: 'suspected' }));
    await settled();
    expect(sink.received).toEqual([]);
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    await publish(finding('a', { revision: 3, summary: 'other words' }));
    bed.now += 300_000;
    await settled();
    await publish(
      finding('a', { revision: 4, state: 'resolved' }),
      finding('b', { revision: 3, state: 'resolved' }),
    );
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 2);
    await settled();
    expect(states()).toEqual([
      ['open', 2, 2],
      ['resolved', 0, 0],
    ]);
  }));

test('a notification on its way when the notifier ends is not sent again by the next one', async () => {
  sink.answer = undefined;
  await running(async ({ settled }) => {
    await publish(finding('a'));
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    setTimeout(() => sink.release(), 50); // after the end began
  });
  sink.answer = { status: 200 };
  bed.now += 300_000;
  await running(async ({ settled }) => {
    await publish(finding('b'));
    await settled();
    bed.now += 300_000;
    await until(() => sink.received.length === 2);
    await settled();
  });
  expect(states()).toEqual([
    ['open', 1, 1],
    ['open', 2, 1],
  ]);
});

test('what was over before anything was sent, or goes and comes between, is never sent', () =>
  running(async ({ settled }) => {
    await publish(finding('a'));
    await settled();
    await publish(finding('a', { revision: 3, state: 'resolved' }));
    await settled();
    bed.now += 60_000;
    await settled();
    expect(sink.received).toEqual([]);
  }));

test('a group is sent at most once in `every`, with all that came meanwhile', () =>
  running(async ({ settled }) => {
    await publish(finding('a'));
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    for (const id of ['b', 'c']) {
      await publish(finding(id));
      await settled();
      bed.now += 60_000;
      await settled();
    }
    expect(sink.received).toHaveLength(1);
    bed.now += 300_000;
    await until(() => sink.received.length === 2);
    expect(states()[1]).toEqual(['open', 3, 2]);
  }));

test('a restart sends nothing twice; what was not answered is sent again as it was', async () => {
  await running(async ({ settled }) => {
    await publish(finding('a'));
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    await settled();
    sink.answer = undefined;
    await publish(finding('z', { cause: { kind: 'Pod', key: 'x/y', text: 'gone' } }));
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 2);
  });
  sink.answer = { status: 200 };
  await running(async ({ settled }) => {
    await until(() => sink.received.length === 3);
    await settled();
  });
  const [, lost, again] = delivered();
  expect(again).toEqual(lost);
  expect(sink.received).toHaveLength(3);
});

test('a sink that is down delays no other, and gets what stands once it is back', async () => {
  const other = await startSink();
  sink.answer = { status: 500 };
  await running(
    async ({ settled, events }) => {
      await publish(finding('a'));
      await settled();
      bed.now += 30_000;
      await until(() => events.some((it) => it.type === 'failed'));
      await until(() => other.received.length === 1);
      await publish(finding('b'));
      await until(() => sink.received.length > 0);
      sink.answer = { status: 200 };
      await until(
        () =>
          (bed.now += 1000) > 0 &&
          events.some((it) => it.type === 'delivered' && it.sink === 'chat'),
      );
    },
    { chat: {}, other: { url: other.url } },
  );
  expect(new Set(delivered().map((it) => it.state))).toEqual(new Set(['open']));
  other.close();
});
test('a finding that one sink refuses holds up no other finding', () =>
  running(async ({ settled, events }) => {
    sink.answer = { status: 400 };
    await publish(finding('a'));
    await settled();
    bed.now += 30_000;
    await until(() => events.some((it) => it.type === 'failed'));
    sink.answer = { status: 200 };
    await publish(finding('z', { cause: { kind: 'Pod', key: 'x/y', text: 'gone' } }));
    await settled();
    bed.now += 30_000;
    await until(() => delivered().some((it) => it.findings[0]?.id === 'z'));
  }));

test('findings that are read again are not over meanwhile', async () => {
  await publish(finding('a'));
  await running(async ({ settled }) => {
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    await settled();
  });
  bed.now += 40 * 86_400_000; // longer than tombstones stay
  await running(async ({ events, settled }) => {
    await until(() => events.some((it) => it.type === 'rebuilding'));
    await settled();
    bed.now += 600_000;
    await settled();
  });
  expect(states()).toEqual([['open', 1, 1]]);
});

test('a position that was lost while it runs: nothing is over until the log is read again', async () => {
  const bare = log;
  let lost: AbortController | undefined;
  log = {
    ...bare,
    consume: async (options) => {
      if (lost) await sleep(1000); // in which a sink that does not wait would hear of the end
      lost = new AbortController();
      await bare.consume({ ...options, signal: AbortSignal.any([options.signal, lost.signal]) });
      if (!options.signal.aborted) throw new Failure('log-position-lost', 'it was replaced');
    },
  };
  await publish(finding('a'));
  await running(async ({ settled, events }) => {
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    await settled(); // and the group is evaluated again after `every`
    lost!.abort();
    await until(() => events.some((it) => it.type === 'rebuilding'));
    bed.now += 600_000;
    await settled();
  });
  log = bare;
  expect(states()).toEqual([['open', 1, 1]]);
});

test('a sink that was taken out of the settings is forgotten, one with other routes hears what it wants now', async () => {
  await publish(finding('a'));
  await running(async ({ settled }) => {
    await settled();
    bed.now += 30_000;
    await until(() => sink.received.length === 1);
    await settled();
  });
  await running(async ({ settled }) => settled(), { other: { routes: [{ classes: ['leak'] }] } });
  expect(sink.received).toHaveLength(1);
  await running(async () => until(() => sink.received.length === 2), { other: {} });
  expect(delivered().map((it) => it.sink)).toEqual(['chat', 'other']);
});

test('Alertmanager is sent a group again while it is open, and its end', () =>
  running(
    async ({ settled }) => {
      await publish(finding('a'));
      await settled();
      bed.now += 30_000;
      for (let times = 1; times <= 3; times += 1) {
        await until(() => sink.received.length === times);
        await settled();
        bed.now += 60_000;
      }
      await publish(finding('a', { revision: 3, state: 'resolved' }));
      await until(() => (bed.now += 1000) > 0 && sink.received.length >= 4);
      await until(() => {
        const [alert] = sink.received.at(-1)!.body as { endsAt: string }[];
        return (bed.now += 1000) > 0 && Date.parse(alert!.endsAt) <= bed.now;
      });
      expect(sink.received[0]!.path).toBe('/api/v2/alerts');
    },
    { pager: { type: 'alertmanager' } },
  ));

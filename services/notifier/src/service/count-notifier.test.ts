import { createMeter } from '@ovn-steward/service/meter/meter';
import { countNotifier } from './count-notifier';
import { NOTIFIER_SERVICE_METRICS } from './metrics';
import type { NotifierReading } from './open-notifier';

const READING: NotifierReading = {
  status: () => ({
    partitions: [],
    sinks: ['chat', 'hook'].map((name, waiting) => ({
      name,
      waiting,
      type: 'webhook',
      failure: null,
    })),
  }),
  lags: () => new Map([[3, 7]]),
  actionsLags: () => new Map([[3, 2]]),
};

const samples = async (
  reading: NotifierReading | undefined,
  ...events: readonly Parameters<ReturnType<typeof countNotifier>>[0][]
): Promise<readonly string[]> => {
  const meter = createMeter(NOTIFIER_SERVICE_METRICS);
  const count = countNotifier(
    meter,
    () => reading,
    () => 5000,
  );
  events.forEach(count);
  return (await meter.text())
    .split('\n')
    .filter((it) => it.startsWith('steward_notifier_'))
    .map((it) => it.slice('steward_notifier_'.length));
};

test('every sink has its series from the start', async () => {
  const all = await samples(READING);
  for (const line of [
    'lag_records{partition="3"} 7',
    'actions_lag_records{partition="3"} 2',
    'notifications_total{sink="chat",state="resolved"} 0',
    'failures_total{sink="chat"} 0',
    'waiting_groups{sink="hook"} 1',
    'last_delivery_timestamp_seconds{sink="hook"} 0',
  ])
    expect(all).toContain(line);
});

test('deliveries, failures and unreadable records are counted', async () => {
  const id = 'x';
  const all = await samples(
    READING,
    { type: 'delivered', sink: 'chat', id, state: 'resolved' },
    { type: 'failed', sink: 'hook', id, why: 'it answered 500', retryInMs: 1 },
    { type: 'unreadable', offset: '3/7', why: 'it is no JSON' },
    { type: 'assigned', partition: 3, from: 0n },
  );
  for (const line of [
    'notifications_total{sink="chat",state="resolved"} 1',
    'notifications_total{sink="chat",state="open"} 0',
    'last_delivery_timestamp_seconds{sink="chat"} 5',
    'last_delivery_timestamp_seconds{sink="hook"} 0',
    'failures_total{sink="hook"} 1',
    'unreadable_total 1',
  ])
    expect(all).toContain(line);
});

test('where no notifier runs, no sink is shown', async () => {
  expect(await samples(undefined)).toEqual(['unreadable_total 0']);
});

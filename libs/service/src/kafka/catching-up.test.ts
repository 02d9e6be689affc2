import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumeOptions, Log } from '@ovn-steward/shared/log/log';
import { createMeter } from '../meter/meter';
import { define } from '../meter/definition';
import { CatchingUp, refreshing, showLags } from './catching-up';

let now = 0;
let ends: Map<number, bigint>;
let positions: Map<number, bigint>;
let down = false;
let caughtUp: number[];
/** As the log does. */
let setMember: (isMember: boolean) => void;
const following = () =>
  new CatchingUp({
    watermarks: async (partition) => {
      if (down) throw new Error('no broker');
      return { low: 0n, high: ends.get(partition) ?? 0n };
    },
    position: (it) => positions.get(it),
    onCaughtUp: (partition) => {
      caughtUp.push(partition);
    },
    elapsed: () => now,
  });
beforeEach(() => {
  now = 0;
  down = false;
  setMember = () => undefined;
  ends = new Map();
  positions = new Map();
  caughtUp = [];
});

test('a partition is missing until it is read to where it ended when it was given, and not again when it grows', async () => {
  const catchingUp = following();
  ends.set(3, 500n);
  positions.set(3, 120n);
  catchingUp.opened(3);
  expect(catchingUp.missing()).toEqual([
    { what: 'partition 3', detail: 'where it ends is not known yet' },
  ]);
  await sleep(1);
  expect(catchingUp.missing()).toEqual([
    { what: 'partition 3', detail: 'read up to 120; it went to 500 when it was given' },
  ]);
  expect(catchingUp.lags()).toEqual(new Map([[3, 380]]));
  ends.set(3, 900n);
  positions.set(3, 500n);
  await catchingUp.refresh();
  expect([
    catchingUp.missing(),
    catchingUp.isCaughtUp(3),
    caughtUp,
    catchingUp.lags().get(3),
  ]).toEqual([[], true, [3], 400]);
  catchingUp.closed(3);
  expect(catchingUp.lags().size).toBe(0);
});

test('a log that does not answer makes nothing ready', async () => {
  const catchingUp = following();
  down = true;
  catchingUp.opened(1);
  await catchingUp.refresh();
  expect(catchingUp.missing()).toHaveLength(1);
  down = false;
  await catchingUp.refresh();
  expect(catchingUp.missing()).toEqual([]);
});

test('a partition given again is caught up again', async () => {
  const catchingUp = following();
  catchingUp.opened(1);
  await catchingUp.refresh();
  catchingUp.closed(1);
  ends.set(1, 10n);
  positions.set(1, 5n);
  catchingUp.opened(1);
  expect(catchingUp.isCaughtUp(1)).toBe(false);
});

/** One that follows a log, and became a member of its group. */
const member = (): CatchingUp => {
  const catchingUp = following();
  const log = { consume: async ({ onMember }: ConsumeOptions) => (setMember = onMember!) };
  void catchingUp.watching(log as unknown as Log).consume({} as ConsumeOptions);
  setMember(true);
  return catchingUp;
};

test('who does not join its group, or falls out of it, never stands by', () => {
  const catchingUp = member();
  setMember(false);
  now = 3_600_000;
  const lack = [{ what: 'partitions', detail: 'it did not join its group yet, or not again' }];
  expect([catchingUp.missing(), following().missing()]).toEqual([lack, lack]);
  setMember(true);
  now += 14_000;
  setMember(true); // joined again in a rebalance
  expect(catchingUp.missing()).toMatchObject([{ detail: 'none was given yet' }]);
  now += 2000;
  expect(catchingUp.missing()).toEqual([]);
});

test('a member that is given nothing is not ready at first, and stands by after a while', () => {
  const catchingUp = member();
  expect(catchingUp.missing()).toMatchObject([{ what: 'partitions' }]);
  now = 16_000;
  expect(catchingUp.missing()).toEqual([]);
});

test('who is refused stays unready with the reason, however long that goes on, and stands by once it is not any more', () => {
  const catchingUp = member();
  const refused = [{ what: 'log', detail: 'no right on the group' }];
  for (now = 100; now < 300_000; now += 40_000) {
    catchingUp.failed('no right on the group', 30_000);
    expect(catchingUp.missing()).toEqual(refused);
    now += 30_000;
    expect(catchingUp.missing()).toEqual(refused);
  }
  now += 16_000; // it joined, and was given nothing: others have it all
  expect(catchingUp.missing()).toEqual([]);
});

test('a failure is over when partitions are given', async () => {
  const catchingUp = member();
  catchingUp.failed('no right on the group', 500);
  catchingUp.opened(1);
  await catchingUp.refresh();
  expect(catchingUp.missing()).toEqual([]);
  catchingUp.closed(1);
  expect(catchingUp.missing()).toMatchObject([{ what: 'partitions' }]);
});

test('stuck is who reads nothing for long while there is something and the log answers', async () => {
  const catchingUp = following();
  catchingUp.opened(1);
  await catchingUp.refresh();
  now = 10_000_000;
  ends.set(1, 10n);
  await catchingUp.refresh();
  expect(catchingUp.stuck()).toBeUndefined(); // it has only just come
  now += 700_000;
  expect(catchingUp.stuck()).toBeUndefined(); // the log was not asked lately
  await catchingUp.refresh();
  expect(catchingUp.stuck()).toMatch(/Nothing was read for 700 s.*unread records in partition 1/);
  catchingUp.moved();
  expect(catchingUp.stuck()).toBeUndefined();
  await catchingUp.refresh();
  now += 700_000;
  positions.set(1, 10n);
  await catchingUp.refresh();
  expect(catchingUp.stuck()).toBeUndefined();
});

test('who loses every partition is missing them at once, and stands by only when none comes for a while', async () => {
  const catchingUp = member();
  for (const partition of [1, 2]) catchingUp.opened(partition);
  await catchingUp.refresh();
  now = 3_600_000;
  catchingUp.closed(1);
  expect(catchingUp.missing()).toEqual([]);
  catchingUp.closed(2);
  const lost = [
    { what: 'partitions', detail: 'those it had were taken, and none was given since' },
  ];
  expect(catchingUp.missing()).toEqual(lost);
  now += 15_000;
  catchingUp.closed(2); // nothing new
  expect(catchingUp.missing()).toEqual(lost);
  now += 1;
  expect(catchingUp.missing()).toEqual([]);
});

test('the ends are asked for every few seconds, and no more once the work is over', async () => {
  jest.useFakeTimers();
  try {
    let requested = 0;
    let end = (): void => undefined;
    const work = new Promise<void>((resolve) => (end = resolve));
    const running = refreshing({ refresh: async () => void (requested += 1) }, work);
    jest.advanceTimersByTime(15_000);
    expect(requested).toBe(3);
    end();
    await running;
    jest.advanceTimersByTime(15_000);
    expect(requested).toBe(3);
  } finally {
    jest.useRealTimers();
  }
});

test('the gauge of lags shows the partitions that are held, and no other', async () => {
  const lag = define('gauge', 'lag', ['partition'], 'Lag.');
  const meter = createMeter([lag]);
  showLags(meter, lag, { lags: () => new Map([[3, 7]]) });
  expect(await meter.text()).toContain('steward_lag{partition="3"} 7');
  showLags(meter, lag, undefined);
  expect(await meter.text()).not.toContain('partition="3"');
});

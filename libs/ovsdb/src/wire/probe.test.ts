import { type ProbeOptions, startProbe } from './probe';

const EVERY = 40;
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function probed(echo: ProbeOptions['echo']): {
  probe: ReturnType<typeof startProbe>;
  echoes: () => number;
  alive: number[];
  dead: () => number;
} {
  let echoes = 0;
  let dead = 0;
  const alive: number[] = [];
  const probe = startProbe({
    everyMs: EVERY,
    echo: () => {
      echoes++;
      return echo();
    },
    onAlive: (at) => alive.push(at),
    onDead: () => {
      dead++;
      return probe.stop();
    },
  });
  return { probe, echoes: () => echoes, alive, dead: () => dead };
}

const never = (): Promise<never> => new Promise(() => undefined);

/** Waits for it: on a busy machine timers come late, and judging begins again after each gap. */
async function becomes(count: () => number, expected: number): Promise<void> {
  for (let turns = 0; count() < expected && turns < 200; turns++) await pass(EVERY);
  expect(count()).toBe(expected);
}

test('a peer that says nothing after an echo is dead', () => {
  // Where timers come late, judging begins again with another echo: here they come in time.
  jest.useFakeTimers();
  try {
    const { dead, echoes } = probed(never);
    jest.advanceTimersByTime(EVERY);
    expect([echoes(), dead()]).toEqual([1, 0]);
    jest.advanceTimersByTime(EVERY + 1);
    expect([echoes(), dead()]).toEqual([1, 1]);
  } finally {
    jest.useRealTimers();
  }
});

test('any input counts as life, an answered echo is reported with the time it was sent', async () => {
  const { probe, dead, alive } = probed(async () => probe.received());
  const started = Date.now();
  await becomes(() => Math.min(alive.length, 3), 3);
  probe.stop();
  expect(dead()).toBe(0);
  for (const at of alive) expect(at).toBeGreaterThanOrEqual(started);
});

test('more silence may be allowed for a while', async () => {
  const { probe, dead } = probed(never);
  probe.allow(4);
  await pass(EVERY * 3.5);
  expect(dead()).toBe(0);
  await becomes(dead, 1);
});

test('while paused nobody is judged, but echoes go on; after it judging begins again', async () => {
  const { probe, dead, echoes } = probed(never);
  probe.pause();
  await becomes(() => Math.min(echoes(), 3), 3);
  expect(dead()).toBe(0);
  probe.resume();
  await becomes(dead, 1);
});

test('a process that stood still does not blame its peer', async () => {
  const { probe, dead } = probed(never);
  await pass(EVERY * 1.5);
  const until = performance.now() + EVERY * 3;
  while (performance.now() < until);
  await pass(1);
  expect(dead()).toBe(0);
  probe.stop();
});

test('no interval, no probe', async () => {
  let echoes = 0;
  startProbe({
    everyMs: 0,
    echo: async () => void echoes++,
    onAlive: () => undefined,
    onDead: () => undefined,
  });
  await pass(20);
  expect(echoes).toBe(0);
});

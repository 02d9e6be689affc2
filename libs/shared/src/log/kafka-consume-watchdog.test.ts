import { createWatchdog, type Watchdog, type Watched } from './kafka-consume-watchdog';

const STALL_MS = 1000;
const JOIN_MS = 5000;

describe('the watchdog of a consumer', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  const watch = (
    more: Partial<Watched> = {},
  ): { readonly watchdog: Watchdog; readonly stalls: string[] } => {
    const stalls: string[] = [];
    const watchdog = createWatchdog({
      stallMs: STALL_MS,
      joinMs: JOIN_MS,
      busy: () => false,
      joining: () => false,
      nodes: () => ['1', '2'],
      onStall: (what) => void stalls.push(what),
      ...more,
    });
    return { watchdog, stalls };
  };
  const pass = (ms: number, each: () => void = () => undefined): void => {
    for (let at = 0; at < ms; at += 50) {
      each();
      jest.advanceTimersByTime(50);
    }
  };

  it('is content while there are signs of life, and notices when there are none', () => {
    const { watchdog, stalls } = watch();
    pass(5000, watchdog.active);
    expect(stalls).toEqual([]);
    pass(STALL_MS + 200);
    expect(stalls.length).toBeGreaterThan(0);
    watchdog.stop();
  });

  it('notices one broker that does not answer while another does', () => {
    const { watchdog, stalls } = watch();
    watchdog.fetchBegan('2');
    pass(STALL_MS + 200, () => {
      watchdog.fetchBegan(1);
      watchdog.fetchEnded(1);
    });
    expect(stalls.length).toBeGreaterThan(0);
    watchdog.stop();
  });

  it('does not wait for a broker that is gone', () => {
    const { watchdog, stalls } = watch({ nodes: () => ['1'] });
    watchdog.fetchBegan('2');
    pass(3000, watchdog.active);
    expect(stalls).toEqual([]);
    watchdog.stop();
  });

  it('lets handlers take their time', () => {
    const { watchdog, stalls } = watch({ busy: () => true });
    pass(10_000);
    expect(stalls).toEqual([]);
    watchdog.stop();
  });

  it('gives a group more time to be joined, but not for ever', () => {
    const { watchdog, stalls } = watch({ joining: () => true });
    pass(JOIN_MS - 200);
    expect(stalls).toEqual([]);
    pass(500);
    expect(stalls.length).toBeGreaterThan(0);
    watchdog.stop();
  });

  it('does not blame the consumer when nothing ran here', () => {
    let ran = 0;
    const { watchdog, stalls } = watch({
      nodes: () => {
        ran += 1;
        return [];
      },
    });
    pass(200, watchdog.active);
    jest.setSystemTime(60_000); // suspended: the clock went on, the timers did not
    jest.advanceTimersByTime(200);
    expect([stalls, ran > 2]).toEqual([[], true]);
    watchdog.stop();
  });

  it('says nothing once it is stopped', () => {
    const { watchdog, stalls } = watch();
    watchdog.stop();
    pass(5000);
    expect(stalls).toEqual([]);
  });
});

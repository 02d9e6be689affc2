import { RetryPace } from './retry-pace';

const timing = { backoff: { base: 100, max: 1000 }, slowRetry: 1_000_000, stableAfter: 5000 };
const isSlow = (ms: number): boolean => ms >= 500_000;

describe('the pace of retries', () => {
  it('is slow for a kind that is not served, but for six tries after a wake', () => {
    const pace = new RetryPace(timing);
    expect(isSlow(pace.afterUnserved())).toBe(true);
    pace.wake();
    const tries = Array.from({ length: 7 }, () => isSlow(pace.afterUnserved()));
    expect(tries).toEqual([false, false, false, false, false, false, true]);
  });

  it('is slow at once where the kind was served since the wake', () => {
    const pace = new RetryPace(timing);
    pace.wake();
    pace.calm();
    expect(isSlow(pace.afterUnserved())).toBe(true);
  });

  it('starts the back-off over after what lasted long enough', () => {
    const pace = new RetryPace(timing);
    for (let nth = 0; nth < 20; nth += 1) expect(pace.backOff()).toBeLessThanOrEqual(1000);
    expect(pace.lived(Date.now())).toBe(false);
    expect(pace.lived(Date.now() - 5000)).toBe(true);
    expect(pace.backOff()).toBeLessThanOrEqual(100);
  });
});

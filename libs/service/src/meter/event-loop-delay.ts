import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

export interface EventLoopDelay {
  /**
   * By quantile (0.5, 0.99, 1), how many seconds timers came late since the last reading; the
   * reading's own tick is not counted.
   */
  read(): ReadonlyMap<number, number>;
  stop(): void;
}

/** Watches how late timers come: what keeps the loop busy keeps everything else waiting. */
export function eventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // It records the time between two ticks of a timer; what is above the timer's interval is the
  // delay.
  const late = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds)
      ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000)
      : 0;
  return {
    read() {
      const seconds =
        histogram.count === 0
          ? [0, 0, 0]
          : [late(histogram.percentile(50)), late(histogram.percentile(99)), late(histogram.max)];
      histogram.reset();
      return new Map([
        [0.5, seconds[0]!],
        [0.99, seconds[1]!],
        [1, seconds[2]!],
      ]);
    },
    stop: () => {
      histogram.disable();
    },
  };
}

import type { Observation } from '../../source-kit/source';

/**
 * Observations to read ahead at most, but for the last batch: what a step of the collector takes.
 */
const AHEAD = 1000;

/**
 * The same observations in as few batches as the consumer leaves time for: what is seen while it is
 * busy waits, and is taken together. A server that reports every transaction by itself would
 * otherwise have each appended by itself, and waited for. A consumer that waits gets everything at
 * once. A failure comes after what was seen before it; the reading ends with the iteration.
 */
export async function* gather(
  observe: (signal: AbortSignal) => AsyncIterable<readonly Observation[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly Observation[]> {
  const stop = new AbortController();
  let waiting: Observation[] = [];
  let ended = false;
  let seen = (): void => undefined;
  let taken = (): void => undefined;

  const read = async (): Promise<void> => {
    for await (const batch of observe(AbortSignal.any([signal, stop.signal]))) {
      for (const observation of batch) waiting.push(observation);
      seen();
      if (waiting.length >= AHEAD && !stop.signal.aborted)
        await new Promise<void>((resolve) => {
          taken = resolve;
        });
      if (stop.signal.aborted) return;
    }
  };
  const reading = read().finally(() => {
    ended = true;
    seen();
  });
  reading.catch(() => undefined); // thrown on below, unless the consumer has stopped

  try {
    for (;;) {
      if (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        taken();
        yield batch;
      } else if (ended) {
        return await reading;
      } else {
        await new Promise<void>((resolve) => {
          seen = resolve;
        });
      }
    }
  } finally {
    stop.abort();
    taken();
    await reading.catch(() => undefined);
  }
}

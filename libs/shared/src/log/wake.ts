/** Wakes whoever waits for something to happen; never misses what happens between looking and waiting. */
export interface Wake {
  /** How often it has happened: take it before looking, hand it to `wait`. */
  count(): number;
  notify(): void;
  /** Settles when it has happened since `seen`, or the signal aborts. */
  wait(seen: number, signal: AbortSignal): Promise<void>;
}

export function createWake(): Wake {
  const waiting = new Set<() => void>();
  let count = 0;
  return {
    count: () => count,
    notify() {
      count += 1;
      for (const wake of [...waiting]) wake();
    },
    async wait(seen, signal) {
      if (seen !== count || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done, { once: true });
      });
    },
  };
}

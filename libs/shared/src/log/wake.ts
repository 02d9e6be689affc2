/** Wakes all that wait for something to happen. */
export interface Wake {
  notify(): void;
  /**
   * Settles when it happens next, or the signal aborts. Check and wait in one turn of the event
   * loop: nothing can happen in between.
   */
  wait(signal: AbortSignal): Promise<void>;
}

export function createWake(): Wake {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const wake of [...waiting]) wake();
    },
    async wait(signal) {
      if (signal.aborted) return;
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

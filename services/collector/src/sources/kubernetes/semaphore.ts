/** Lets only so many run at once; the rest wait in the order they came. */
export interface Semaphore {
  hold<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;
  return {
    async hold(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resume) => waiting.push(resume));
      try {
        return await work();
      } finally {
        const next = waiting.shift(); // the permit passes on; it is free only when none waits
        if (next) next();
        else free += 1;
      }
    },
  };
}

/**
 * Runs tasks as they are given, so many at once and the rest in the order in which they came. A
 * task that fails does not stop those behind it.
 */
export interface Lane {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Whether a task runs or waits. */
  busy(): boolean;
}

/** @param width how many tasks run at once; one by default. */
export function createLane(width = 1): Lane {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task) {
      if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next)
          next(); // it takes our place
        else running -= 1;
      }
    },
    busy: () => running > 0,
  };
}

/** One lane for each key. */
export function createLanes<K>(): <T>(key: K, task: () => Promise<T>) => Promise<T> {
  const lanes = new Map<K, Lane>();
  return (key, task) => {
    const lane = lanes.get(key) ?? createLane();
    lanes.set(key, lane);
    return lane.run(task);
  };
}

/** Runs what it is given one after the other, in order; a task that fails does not stop those behind it. */
export interface Lane {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Whether a task runs or waits. */
  busy(): boolean;
}

/** The caller's functions run in one lane, so that none is called while another runs. */
export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run(task) {
      waiting += 1;
      const run = last.then(task).finally(() => (waiting -= 1));
      last = run.catch(() => undefined);
      return run;
    },
    busy: () => waiting > 0,
  };
}

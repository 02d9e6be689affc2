/** Runs what is given one after the other, in the order of asking; a failure is its asker's alone. */
export function oneAtATime(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const next = last.then(step, step);
    last = next.catch(() => undefined);
    return next;
  };
}

/** The same for each key by itself. */
export function oneAtATimeEach<K>(): <T>(key: K, step: () => Promise<T>) => Promise<T> {
  const turns = new Map<K, ReturnType<typeof oneAtATime>>();
  return (key, step) => {
    const turn = turns.get(key) ?? oneAtATime();
    turns.set(key, turn);
    return turn(step);
  };
}

/**
 * Many iterables as one. Each may be at most one value ahead of the consumer and values come in the
 * order they became ready, so a busy one cannot keep the others waiting, and none is read on while
 * the consumer takes nothing. Fails with the first failure.
 */
export async function* mergeIterables<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const ready: { readonly value: T; readonly taken: () => void }[] = [];
  let running = sources.length;
  let failure: { readonly error: unknown } | undefined;
  let ended = false;
  let wake = (): void => {};

  const pump = async (source: AsyncIterable<T>): Promise<void> => {
    try {
      for await (const value of source) {
        await new Promise<void>((taken) => {
          ready.push({ value, taken });
          wake();
        });
        if (ended) return;
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      running -= 1;
      wake();
    }
  };

  for (const source of sources) void pump(source);
  try {
    for (;;) {
      const next = ready.shift();
      if (next) {
        next.taken();
        yield next.value;
      } else if (failure) {
        throw failure.error;
      } else if (running === 0) {
        return;
      } else {
        await new Promise<void>((resume) => {
          wake = resume;
        });
      }
    }
  } finally {
    ended = true;
    for (const { taken } of ready) taken();
  }
}

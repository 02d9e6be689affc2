/** How long one call may take, and the signal that may end it sooner. */
export interface Limits {
  /**
   * The promise's outcome.
   * @throws {@link Overdue} when time ran out before, the signal's reason when it was aborted.
   */
  within<T>(promise: Promise<T>): Promise<T>;
}

/** Time ran out. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

/** Runs the body within limits. @throws the signal's reason at once when it is aborted already. */
export async function limited<T>(
  timeoutMs: number,
  signal: AbortSignal,
  body: (limits: Limits) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { promise: ended, reject } = withReject();
  const timer = setTimeout(() => reject(new Overdue(`not done within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await body({ within: (promise) => Promise.race([promise, ended]) });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** A promise that is rejected from outside, if at all. */
function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject!: (reason: unknown) => void;
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}

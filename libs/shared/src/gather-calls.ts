import { setMaxListeners } from 'node:events';
import { allowManyListeners } from './allow-many-listeners';

/**
 * Calls made in one turn of the event loop are answered by one execution, which begins after all of
 * them: no call gets an answer that is older than itself. Calls with the same key share an answer.
 *
 * @param run does the work for these keys, and returns what answers each. Its signal fires when the
 * signals of all callers have.
 * @returns the call. It rejects with its signal's reason when that has fired before.
 */
export function gatherCalls<K, T>(
  run: (keys: readonly K[], signal: AbortSignal) => (key: K) => Promise<T>,
): (key: K, signal: AbortSignal) => Promise<T> {
  let waiting: Call<K, T>[] = [];
  const start = async (): Promise<void> => {
    const calls = waiting;
    waiting = [];
    const { signal, end } = firedByAll(new Set(calls.map((it) => it.signal)));
    const keys = [...new Set(calls.map((it) => it.key))];
    const answerOf = run(keys, signal);
    const answers = new Map(keys.map((key) => [key, answerOf(key)]));
    await Promise.all(
      calls.map(({ key, done, failed }) => answers.get(key)!.then(done, failed)),
    ).finally(end);
  };
  return (key, signal) =>
    new Promise((done, failed) => {
      signal.throwIfAborted();
      if (waiting.length === 0) setImmediate(() => void start());
      waiting.push({ key, signal, done, failed });
    });
}

interface Call<K, T> {
  readonly key: K;
  readonly signal: AbortSignal;
  readonly done: (answer: T) => void;
  readonly failed: (error: unknown) => void;
}

/** A signal that fires when each of these has; `end` stops listening to them. */
function firedByAll(signals: ReadonlySet<AbortSignal>): {
  readonly signal: AbortSignal;
  readonly end: () => void;
} {
  const [first] = signals;
  if (signals.size === 1) return { signal: allowManyListeners(first!), end: () => undefined };
  const all = new AbortController();
  const ended = new AbortController();
  let left = signals.size;
  // A worker's one signal is used by many calls at once, and each listener listens to its end.
  setMaxListeners(0, ended.signal, ...signals);
  for (const signal of signals)
    signal.addEventListener(
      'abort',
      () => {
        left -= 1;
        if (left === 0) all.abort(signal.reason);
      },
      { once: true, signal: ended.signal },
    );
  return { signal: allowManyListeners(all.signal), end: () => ended.abort() };
}

import { pause } from './pause';
import { doublingBackOff } from './back-off';
import { retryOf } from './errors';

export interface RetryOptions {
  /**
   * Whether trying again cannot mend it; what the failure says of itself by default, and never for
   * another error.
   */
  readonly isFinal?: ((error: unknown) => boolean) | undefined;
  /** Called before each wait. What it throws ends the attempts. */
  readonly onRetry: (error: unknown, retryInMs: number) => void | Promise<void>;
  /**
   * Milliseconds to wait before the given further attempt (1, 2, …). Half a second, doubling up to
   * half a minute, by default.
   */
  readonly backOff?: ((attempt: number, error: unknown) => number) | undefined;
}

/**
 * Tries, at least once, until it succeeds or the signal fires, which also ends a wait at once.
 * @param attempt one attempt. It may call `onProgress`: the next failure then counts as the first.
 * @returns undefined when the signal fired after a failure.
 * @throws the first error that is final, also where the signal has fired.
 */
export async function retrying<T>(
  attempt: (onProgress: () => void) => Promise<T>,
  {
    isFinal = (error) => retryOf(error, 'later') === 'never',
    onRetry,
    backOff = doublingBackOff,
  }: RetryOptions,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let failures = 0; ;) {
    try {
      return await attempt(() => (failures = 0));
    } catch (error) {
      if (isFinal(error)) throw error;
      if (signal.aborted) return undefined;
      failures += 1;
      const retryInMs = backOff(failures, error);
      await onRetry(error, retryInMs);
      await pause(retryInMs, signal);
      if (signal.aborted) return undefined;
    }
  }
}

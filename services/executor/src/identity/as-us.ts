import { Failure } from '@ovn-steward/shared/errors';
import type { HoldCheck } from '../gate/hold-check';
import type { Belonging } from './belonging';

/** How often both are asked before nothing is sent for now. */
const ATTEMPTS = 3;

/**
 * Asks who answers before it asks for holds: so whatever is sent was asked both, and nothing lies between a hold and the send. Where the log is so slow that who answers would have
 * to be asked again before the send, both are asked again: somebody may say stop while that is asked.
 * @throws Failure `log-unavailable` where the log is that slow each time.
 */
export function asUs(
  { check, isFresh }: Pick<Belonging, 'check' | 'isFresh'>,
  holds: HoldCheck,
): HoldCheck {
  const querying = async <T>(
    query: () => Promise<T | undefined>,
    signal: AbortSignal,
  ): Promise<T | undefined> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await check(signal);
      const keeping = await query();
      if (keeping !== undefined || isFresh()) return keeping;
    }
    throw new Failure(
      'log-unavailable',
      'The log answers too slowly: what people decided is read for longer than what the systems said of themselves is good for.',
    );
  };
  return {
    now: (about, exception, signal) => querying(() => holds.now(about, exception, signal), signal),
    removal: (finding, scopes, signal) =>
      querying(() => holds.removal(finding, scopes, signal), signal),
  };
}

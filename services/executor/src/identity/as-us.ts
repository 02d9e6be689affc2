import { Failure } from '@ovn-steward/shared/errors';
import type { HoldCheck } from '../gate/hold-check';
import type { Belonging } from './belonging';

/** How often both are checked before the send is given up for now. */
const ATTEMPTS = 3;

/**
 * Verifies the identity of the systems before it reads the holds: so both are checked for each
 * send, and nothing lies between the hold check and the send. Where the log is so slow that the
 * identity would have to be verified again before the send, both are checked again, since a hold
 * may arrive meanwhile.
 * @throws Failure `log-unavailable` where the log is that slow each time.
 */
export function asUs(belonging: Pick<Belonging, 'check' | 'isFresh'>, holds: HoldCheck): HoldCheck {
  const querying = async <T>(
    query: () => Promise<T | undefined>,
    signal: AbortSignal,
  ): Promise<T | undefined> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await belonging.check(signal);
      const keeping = await query();
      if (keeping !== undefined || belonging.isFresh()) return keeping;
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

import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '@ovn-steward/shared/access';
import { Failure } from '@ovn-steward/shared/errors';

type Authenticate = (token: string, signal: AbortSignal) => Promise<Caller>;

/** How many tokens the API server may be sent in a span. */
export interface ReviewRate {
  readonly tokens: number;
  readonly seconds: number;
}

/** Of tokens that were proven lately, all together; their holders can be named. */
const KNOWN: ReviewRate = { tokens: 100, seconds: 2 };
/** Of all others: what anybody may send who reaches the port. */
const UNKNOWN: ReviewRate = { tokens: 20, seconds: 2 };

/** A token counts as known for so long after it was proven last, in milliseconds. */
const KNOWN_FOR_MS = 10 * 60_000;
const MOST_KNOWN = 1000;

/**
 * Has `review` prove tokens, but not more often than that: who sends made-up tokens neither loads
 * the API server nor shuts out those who were proven lately. Every request is reviewed; nothing is
 * remembered but that a token was good, by its digest.
 * @throws Failure `source-refused` of what is over the limit; others as `review` does.
 */
export function limitReviews(
  review: Authenticate,
  { known, unknown }: { readonly known: ReviewRate; readonly unknown: ReviewRate } = {
    known: KNOWN,
    unknown: UNKNOWN,
  },
  now: () => number = () => performance.now(),
): Authenticate {
  /** By digest, when it was proven last; the oldest first. */
  const proven = new Map<string, number>();
  const ofKnown = limiterOf(known);
  const ofUnknown = limiterOf(unknown);
  return async (token, signal) => {
    const digest = createHash('sha256').update(token).digest('base64');
    const at = proven.get(digest);
    const limiter = at !== undefined && now() - at < KNOWN_FOR_MS ? ofKnown : ofUnknown;
    if (!(await isLeft(limiter)))
      throw new Failure(
        'source-refused',
        'Too many tokens are to be reviewed at this moment: try again in a second.',
      );
    try {
      const caller = await review(token, signal);
      proven.delete(digest);
      proven.set(digest, now());
      if (proven.size > MOST_KNOWN) proven.delete(proven.keys().next().value!);
      return caller;
    } catch (error) {
      if (error instanceof Failure && error.code === 'access-unauthenticated')
        proven.delete(digest);
      throw error;
    }
  };
}

const limiterOf = ({ tokens, seconds }: ReviewRate): RateLimiterMemory =>
  new RateLimiterMemory({ points: tokens, duration: seconds });

/** Takes one, if there is one left of this span. */
async function isLeft(limiter: RateLimiterMemory): Promise<boolean> {
  try {
    await limiter.consume('');
    return true;
  } catch (error) {
    if (error instanceof RateLimiterRes) return false;
    throw error;
  }
}

import type { StandingDecisions } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import type { Channel } from './decisions';
import { followedDecisions } from './followed-decisions';

/**
 * What is in force when one of it is to be ended; where that cannot be read, why. Ending does not
 * depend on it: what cannot be read is not known, and said.
 */
export async function standingBefore(
  channel: Channel,
): Promise<StandingDecisions | { readonly unknown: string }> {
  try {
    const decisions = await followedDecisions(channel);
    return await decisions.read().finally(() => decisions.close());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { unknown: error.message };
  }
}

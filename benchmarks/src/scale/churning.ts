import type { Observation, Source } from '@ovn-steward/collector';
import { isMovable, type Movable } from '../pipeline/moves';

/**
 * One in so many things that a source saw may change later, and no more than that in all: enough to
 * spread over the world, few enough to hold.
 */
const ONE_IN = 7;
const MOST = 5000;

export interface Churn {
  /** Everything the source reads was published. Settles when it may go on. */
  wholeRead(source: Source, some: readonly Movable[]): Promise<void>;
  /** What happens to those afterwards, in batches. */
  changes(some: readonly Movable[], signal: AbortSignal): AsyncIterable<readonly Observation[]>;
}

/**
 * The source, read as it is and not held in memory; when it has ended, changes to some of what it
 * saw.
 */
export const churning = (source: Source, churn: Churn): Source => ({
  ...source,
  async *observe(signal) {
    const some: Movable[] = [];
    let seen = 0;
    for await (const batch of source.observe(signal)) {
      for (const it of batch)
        if (isMovable(it) && seen++ % ONE_IN === 0 && some.length < MOST) some.push(it);
      yield batch;
    }
    await churn.wholeRead(source, some);
    if (!signal.aborted) yield* churn.changes(some, signal);
  },
});

import type { StreamOwner } from '../../../mirror/mirror';
import type { Observation } from '../../../sources/source';

/** One stream of what the systems show. */
export interface Feed {
  readonly name: string;
  readonly owner: StreamOwner;
  readonly kinds: readonly string[];
  /** All there is now. @param now milliseconds since 1970. */
  read(now: number): Iterable<Observation>;
  /** What happened since the last time, and that this is all there was. */
  news(now: number): Iterable<Observation>;
}

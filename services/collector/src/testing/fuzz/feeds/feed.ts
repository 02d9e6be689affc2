import type { StreamOwner } from '../../../mirror/mirror';
import type { Observation } from '../../../source-kit/source';

/**
 * In milliseconds of the source's own time; a live collector sends one every few seconds, which
 * here would only cost.
 */
export const HEARTBEAT_EVERY_MS = 20_000;

/** One stream of what the systems show. */
export interface Feed {
  readonly name: string;
  readonly owner: StreamOwner;
  readonly kinds: readonly string[];
  /** All there is now. @param now milliseconds since 1970. */
  read(now: number): Iterable<Observation>;
  /**
   * What happened since the last time, and that this is all there was; nothing while there is
   * nothing to report and no heartbeat is due.
   */
  news(now: number): Iterable<Observation>;
}

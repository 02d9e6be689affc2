import { messageOf } from '@ovn-steward/shared/errors';
import type { Definition } from './definition';

interface Show {
  readonly run: () => void;
  /** All that it ever set. */
  readonly series: Set<Definition>;
  /** Why it failed the last time, until it succeeds. */
  failed?: string | undefined;
}

/**
 * What is called before a scrape. One that fails hides its own series, which would say what was
 * true once, and no others.
 */
export class Shows {
  readonly #shows: Show[] = [];
  #running: Show | undefined;

  add(run: () => void): void {
    this.#shows.push({ run, series: new Set() });
  }

  /** A series was set; it belongs to what runs now, if anything does. */
  note(series: Definition): void {
    this.#running?.series.add(series);
  }

  /**
   * @param hide called for each series of what failed.
   * @param onFailed called for each failure; `again` where the same was said at the last scrape.
   */
  run(
    hide: (series: Definition) => void,
    onFailed: (reason: string, again: boolean) => void,
  ): void {
    for (const show of this.#shows) {
      this.#running = show;
      try {
        show.run();
        show.failed = undefined;
      } catch (error) {
        show.series.forEach(hide);
        const reason = messageOf(error);
        onFailed(reason, show.failed === reason);
        show.failed = reason;
      } finally {
        this.#running = undefined;
      }
    }
  }
}

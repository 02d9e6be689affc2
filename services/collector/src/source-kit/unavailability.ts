import type { UnavailableReason } from './source';

/** How often a source publishes another detail of the same reason; milliseconds. */
const DETAIL_EVERY_MS = 60_000;

/** What was last published of a stream that cannot be read. */
export class Unavailability {
  #published: { reason: UnavailableReason; detail: string; at: number } | undefined;

  /**
   * @param now milliseconds.
   * @param detailEveryMs how often another detail of the same reason is published: those of one
   *   outage may alternate with every try. Milliseconds.
   */
  constructor(
    private readonly now: () => number,
    private readonly detailEveryMs = DETAIL_EVERY_MS,
  ) {}

  /** Whether the stream is published as unavailable. */
  get isPublished(): boolean {
    return this.#published !== undefined;
  }

  /** The stream was read in full. */
  end(): void {
    this.#published = undefined;
  }

  /**
   * @returns whether this is to be published: a new reason at once, another detail of the same
   *   reason once in that time. It counts as published then.
   */
  isNews(reason: UnavailableReason, detail: string): boolean {
    const at = this.now();
    const before = this.#published;
    const isSame =
      before?.reason === reason &&
      (before.detail === detail || at - before.at < this.detailEveryMs);
    if (!isSame) this.#published = { reason, detail, at };
    return !isSame;
  }
}

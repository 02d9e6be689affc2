/**
 * So long before harm was seen, what vanished may have been a part of it: milliseconds
 * (docs/backup.md).
 */
const BEFORE_MS = 10_000;

/** Rows of others that were harmed, and those that may pass for it. */
export class Damage {
  readonly #harmed = new Set<string>();
  /** When their owners removed rows of their own: milliseconds since 1970. */
  readonly #removed = new Map<string, number>();
  #since = Infinity;

  /** @param delayMs after so long at most what happened is reported: milliseconds. */
  constructor(readonly delayMs: number) {}

  /**
   * A row of others was removed or moved, or what it holds was.
   * @param now milliseconds since 1970.
   */
  harm(uuid: string, now: number): void {
    this.#harmed.add(uuid);
    this.#since = Math.min(this.#since, now);
  }

  /**
   * The owner removes a row of his own. Beside harm it may pass for more of it, also shortly
   * before: who looks at the Northbound sees no difference.
   */
  remove(uuid: string, now: number): void {
    this.#removed.set(uuid, now);
  }

  get isAny(): boolean {
    return this.#harmed.size > 0;
  }

  /** Of which it may be said that they were harmed. */
  *possible(): Generator<string> {
    yield* this.#harmed;
    const since = this.#since - BEFORE_MS - this.delayMs;
    for (const [uuid, at] of this.#removed) if (at >= since) yield uuid;
  }
}

import type { Finding } from '@ovn-steward/contracts/findings/finding';

/** Suspicions that become due together: one grace, and one set of kinds that they rest on. */
interface Group {
  readonly grace: number;
  readonly kinds: number;
  /** Since when each is suspected, in milliseconds. */
  readonly since: Map<string, number>;
}

/**
 * So much longer than its grace a suspicion waits for kinds that are not known as far as the last
 * catch-up: longer than a stream can hang unnoticed (the collector checks a silent one within 300
 * s), and not for ever, since sources that are read again and again are never known at one time.
 * Milliseconds.
 */
const CATCH_UP_MS = 600_000;

/** How much of some kinds is known. Both RFC 3339, UTC; empty where there is none. */
export interface Knowledge {
  /** Up to when they are known completely. */
  readonly watermark: string;
  /** When the last of them was caught up with in one step. */
  readonly lastCatchUp: string;
}

/** It is not known what it rests on: on all that its rule declares. */
export const ALL_KINDS = -1;

/**
 * A rule's suspected findings, by their grace and by the kinds that their check read, in the order
 * in which the grace ends. Of findings of one group the order of first sight is the order of
 * ripening, so reading what is due costs what is due.
 */
export class Suspicions {
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<string, Group>();
  readonly #paused = new Set<string>();
  readonly #senses = new Map<string, string>();

  /** @param graceOf milliseconds; called for each finding that is recorded. */
  constructor(readonly graceOf: (finding: Finding) => number) {}

  get size(): number {
    return this.#groupOf.size;
  }

  /** @param kinds that it rests on, as its check returned them; by default as before. */
  update(finding: Finding, kinds?: number): void {
    const { id } = finding;
    this.#paused.delete(id);
    const known = this.#groupOf.get(id);
    if (finding.state !== 'suspected') {
      this.#senses.delete(id);
      return void this.#delete(id);
    }
    const since = Date.parse(finding.firstSeen);
    const group = this.#of(this.graceOf(finding), kinds ?? known?.kinds ?? ALL_KINDS);
    if (group === known && group.since.get(id) === since) return;
    this.#delete(id);
    group.since.set(id, since);
    this.#groupOf.set(id, group);
  }

  /** It cannot be judged now, so its time does not count. */
  pause(id: string): void {
    if (this.#delete(id)) this.#paused.add(id);
  }

  pauseAll(): void {
    for (const id of this.#groupOf.keys()) this.#paused.add(id);
    this.#groupOf.clear();
    this.#groups.clear();
  }

  /**
   * Records which way it is wrong (`Violation.sense`).
   *
   * @returns whether it is another way than when this was called last, or it could not be judged
   *   meanwhile.
   */
  observeSense(id: string, sense: string | undefined): boolean {
    const before = this.#senses.get(id);
    if (sense !== undefined) this.#senses.set(id, sense);
    return this.#paused.has(id) || (before !== undefined && before !== sense);
  }

  /**
   * Ids whose grace has passed.
   *
   * @param now the sources' time, in milliseconds: no watermark is later, so that those whose grace
   *   it has not reached need no watermark.
   * @param knowledgeOf what is known of these kinds.
   * @returns each with the watermark at which it is due.
   */
  due(
    now: number,
    knowledgeOf: (kinds: number) => Knowledge,
  ): (readonly [id: string, watermark: string])[] {
    const due: (readonly [string, string])[] = [];
    for (const [key, { grace, kinds, since }] of this.#groups) {
      const [first] = since.values();
      if (first === undefined) {
        this.#groups.delete(key);
        continue;
      }
      if (now < first + grace) continue;
      const { watermark, lastCatchUp } = knowledgeOf(kinds);
      if (watermark === '') continue;
      const through = Date.parse(watermark);
      const needed = grace + (watermark < lastCatchUp ? CATCH_UP_MS : 0);
      for (const [id, began] of since) {
        if (!(through > began && through >= began + needed)) break;
        due.push([id, watermark]);
      }
    }
    return due;
  }

  #of(grace: number, kinds: number): Group {
    const key = `${grace} ${kinds}`;
    let group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, (group = { grace, kinds, since: new Map() }));
    return group;
  }

  #delete(id: string): boolean {
    this.#groupOf.get(id)?.since.delete(id);
    return this.#groupOf.delete(id);
  }
}

import type { Finding } from '@ovn-steward/contracts/findings/finding';

/** Suspicions that become due together: one grace, and one set of kinds that they rest on. */
interface Group {
  readonly grace: number;
  readonly kinds: number;
  /** Since when each is suspected, in milliseconds. */
  readonly since: Map<string, number>;
  /** The latest that `since` ever had. */
  latest: number;
  /** Whether `since` is in the order of its times. */
  isSorted: boolean;
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

interface Kept {
  readonly groups: Map<string, Group>;
  readonly groupOf: Map<string, Group>;
  readonly paused: Set<string>;
  /** As of `observeSense`. */
  readonly senses: Map<string, string>;
}

const nothing = (): Kept => ({
  groups: new Map(),
  groupOf: new Map(),
  paused: new Set(),
  senses: new Map(),
});

/** Of all that have suspected nothing yet, as most rules in most clusters: nothing is added to it. */
const NOTHING = nothing();

/**
 * A rule's suspected findings, by their grace and by the kinds that their check read, in the order
 * in which the grace ends. Of findings of one group the order of first sight is the order of
 * ripening, so reading what is due costs what is due. One that comes from another group may be
 * older than those that are there: then the group is sorted once.
 */
export class Suspicions {
  #kept = NOTHING;

  /** @param graceOf milliseconds; called for each finding that is recorded. */
  constructor(readonly graceOf: (finding: Finding) => number) {}

  get size(): number {
    return this.#kept.groupOf.size;
  }

  /** @param kinds that it rests on, as its check returned them; by default as before. */
  update(finding: Finding, kinds?: number): void {
    const { id } = finding;
    this.#kept.paused.delete(id);
    const known = this.#kept.groupOf.get(id);
    if (finding.state !== 'suspected') {
      this.#kept.senses.delete(id);
      return void this.#delete(id);
    }
    const since = Date.parse(finding.firstSeen);
    const group = this.#of(this.graceOf(finding), kinds ?? known?.kinds ?? ALL_KINDS);
    if (group === known && group.since.get(id) === since) return;
    this.#delete(id);
    group.since.set(id, since);
    if (since < group.latest) group.isSorted = false;
    group.latest = Math.max(since, group.latest);
    this.#own().groupOf.set(id, group);
  }

  /** It cannot be judged now, so its time does not count. */
  pause(id: string): void {
    if (this.#delete(id)) this.#own().paused.add(id);
  }

  pauseAll(): void {
    const { groups, groupOf, paused } = this.#kept;
    for (const id of groupOf.keys()) paused.add(id);
    groupOf.clear();
    groups.clear();
  }

  /**
   * Records which way it is wrong (`Violation.sense`).
   *
   * @returns whether it is another way than when this was called last, or it could not be judged
   *   meanwhile.
   */
  observeSense(id: string, sense: string | undefined): boolean {
    const before = this.#kept.senses.get(id);
    if (sense !== undefined) this.#own().senses.set(id, sense);
    return this.#kept.paused.has(id) || (before !== undefined && before !== sense);
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
    for (const [key, group] of this.#kept.groups) {
      if (!group.isSorted) sort(group);
      const { grace, kinds, since } = group;
      const [first] = since.values();
      if (first === undefined) {
        this.#kept.groups.delete(key);
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
    const { groups } = this.#own();
    let group = groups.get(key);
    if (group === undefined) {
      group = { grace, kinds, since: new Map(), latest: -Infinity, isSorted: true };
      groups.set(key, group);
    }
    return group;
  }

  #delete(id: string): boolean {
    this.#kept.groupOf.get(id)?.since.delete(id);
    return this.#kept.groupOf.delete(id);
  }

  /** What is kept, to be added to. */
  #own(): Kept {
    return this.#kept === NOTHING ? (this.#kept = nothing()) : this.#kept;
  }
}

function sort(group: Group): void {
  const sorted = [...group.since].sort(([, one], [, other]) => one - other);
  group.since.clear();
  for (const [id, since] of sorted) group.since.set(id, since);
  group.isSorted = true;
}

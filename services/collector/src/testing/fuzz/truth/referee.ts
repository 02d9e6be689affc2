import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import type { Cluster } from '../cluster';
import type { Delivery } from '../feeds/delivery';
import type { Ill } from './ill';
import { illsOf } from './ills';
import { LostRecords } from './lost-records';

/** What a run is judged by. */
export const OFFENCES = [
  'wrongAccusations',
  'missedLeaks',
  'missedOutages',
  'differences',
  'unexpectedErrors',
] as const;

/** Where findings and truth part. */
export interface Offence {
  readonly kind: (typeof OFFENCES)[number];
  /** By which two offences are of one sort: a shrunk history must end in the same. */
  readonly sort: string;
  readonly what: string;
}

interface OpenIll {
  readonly ill: Ill;
  /** Since when it is so, and may be said so: milliseconds since 1970. */
  readonly since: number;
}

/** What the referee has to know of a rule. */
export interface Known {
  readonly grace: number;
  readonly isOutage: boolean;
}

const DUE: ReadonlySet<Ill['expected']> = new Set(['must', 'report']);

/** Compares what is found with what is so. */
export class Referee {
  #ills = new Map<string, OpenIll>();
  readonly #lost: LostRecords;
  /** Since when what was wrong is not any more: milliseconds since 1970. */
  readonly #mended = new Map<string, number>();
  /** Rules of which something was confirmed so far. */
  readonly reached = new Set<string>();

  /**
   * @param delivery what is reported of each kind.
   * @param known of each rule.
   */
  constructor(
    readonly cluster: Cluster,
    delivery: Pick<Delivery, 'stateOf' | 'listings'>,
    readonly known: (rule: string) => Known,
  ) {
    this.#lost = new LostRecords(cluster, delivery);
  }

  /** Evaluates what is wrong now. To be called whenever anything may have changed. */
  evaluate(): void {
    const { now } = this.cluster;
    const current = new Map<string, OpenIll>();
    for (const ill of [...illsOf(this.cluster), ...this.#lost.evaluate()]) {
      const key = keyOf(ill.rule, ill.uid);
      const before = this.#ills.get(key);
      current.set(key, { ill, since: before?.ill.expected === ill.expected ? before.since : now });
      this.#mended.delete(key);
    }
    for (const key of this.#ills.keys()) if (!current.has(key)) this.#mended.set(key, now);
    this.#ills = current;
  }

  /**
   * What was confirmed a moment ago must be so, or have been so up to when its sources are known;
   * and for as long as its grace.
   */
  *accused(changed: readonly Finding[]): Generator<Offence> {
    for (const finding of changed) {
      const { state, rule, firstSeen, confirmedAt, subject } = finding;
      // Each revision of what was confirmed before comes by here as well.
      if (state !== 'confirmed' || finding.lastSeen !== confirmedAt) continue;
      this.reached.add(rule);
      const known = Date.parse(confirmedAt!);
      if (known - Date.parse(firstSeen) < this.known(rule).grace)
        yield wrong(finding, 'before its grace was over');
      const openIll = this.#ills.get(keyOf(rule, subject.uid));
      const mended = this.#mended.get(keyOf(rule, subject.uid));
      if (openIll === undefined && !(mended !== undefined && mended > known))
        yield wrong(finding, 'which is not so');
      if (openIll?.ill.expected === 'keep' && openIll.since <= known)
        yield wrong(finding, 'where nothing may be done about it');
      if (openIll?.ill.expected === 'report' && openIll.since <= known && finding.remedy !== null)
        yield wrong(finding, 'with a remedy that would do harm');
    }
  }

  /**
   * All that is confirmed must be so, and all that was wrong for so long must be confirmed; once
   * everything was reported.
   */
  *settled(
    open: readonly Finding[],
    unknowns: readonly Unknown[],
    longerMs: number,
  ): Generator<Offence> {
    const confirmed = new Set<string>();
    for (const finding of open) {
      if (finding.state !== 'confirmed') continue;
      const key = keyOf(finding.rule, finding.subject.uid);
      confirmed.add(key);
      const openIll = this.#ills.get(key);
      if (!openIll) yield wrong(finding, 'which is not so');
      else if (openIll.ill.expected === 'report' && finding.remedy !== null)
        yield wrong(finding, 'with a remedy that would do harm');
    }
    for (const [key, { ill, since }] of this.#ills) {
      const isDue = DUE.has(ill.expected) && this.cluster.now - since >= longerMs;
      if (!isDue || confirmed.has(key)) continue;
      const kind = this.known(ill.rule).isOutage ? 'missedOutages' : 'missedLeaks';
      const why = unknowns.find(
        ({ rule, subject }) => rule === ill.rule && (subject === null || subject.uid === ill.uid),
      );
      const doubt = why === undefined ? '' : ` (it cannot know: ${why.reason})`;
      yield { kind, sort: ill.rule, what: `${ill.rule} is silent: ${ill.what}${doubt}` };
    }
  }
}

const keyOf = (rule: string, uid: string): string => `${rule} ${uid}`;

const wrong = ({ rule, subject, summary }: Finding, why: string): Offence => ({
  kind: 'wrongAccusations',
  sort: rule,
  what: `${rule} is confirmed of ${subject.kind} ${subject.name}, ${why}: ${summary}`,
});

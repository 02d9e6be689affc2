import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Cluster } from '../cluster';
import { type Ill, illsOf } from './ills';

export type OffenceKind =
  'wrongAccusations' | 'missedLeaks' | 'missedOutages' | 'differences' | 'unexpectedErrors';

/** A step of the truth that the findings got wrong. */
export interface Offence {
  readonly kind: OffenceKind;
  /** By which two offences are of one sort: a shrunk history must end in the same. */
  readonly sort: string;
  readonly what: string;
}

interface Standing {
  readonly ill: Ill;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const keyOf = (rule: string, uid: string): string => `${rule} ${uid}`;

/** Compares what is found with what is so. */
export class Referee {
  #ills = new Map<string, Standing>();
  /** Since when what was wrong is not any more: milliseconds since 1970. */
  readonly #mended = new Map<string, number>();

  constructor(readonly cluster: Cluster) {}

  /** Looks at what is wrong now. To be called whenever anything may have changed. */
  look(): void {
    const { now } = this.cluster;
    const current = new Map<string, Standing>();
    for (const ill of illsOf(this.cluster)) {
      const key = keyOf(ill.rule, ill.uid);
      current.set(key, { ill, since: this.#ills.get(key)?.since ?? now });
      this.#mended.delete(key);
    }
    for (const key of this.#ills.keys()) if (!current.has(key)) this.#mended.set(key, now);
    this.#ills = current;
  }

  /** What was confirmed a moment ago must be so, or have been so up to when its sources are known. */
  *accused(changed: readonly Finding[]): Generator<Offence> {
    for (const finding of changed) {
      if (finding.state !== 'confirmed' || this.isTrue(finding)) continue;
      const mended = this.#mended.get(keyOf(finding.rule, finding.subject.uid));
      if (mended !== undefined && mended > Date.parse(finding.confirmedAt!)) continue;
      yield this.#wrong(finding);
    }
  }

  /** All that is confirmed must be so, and all that was wrong for so long must be confirmed; once everything was told. */
  *settled(
    open: readonly Finding[],
    longerMs: number,
    classOf: (rule: string) => string,
  ): Generator<Offence> {
    const confirmed = new Set<string>();
    for (const finding of open) {
      if (finding.state !== 'confirmed') continue;
      confirmed.add(keyOf(finding.rule, finding.subject.uid));
      if (!this.isTrue(finding)) yield this.#wrong(finding);
    }
    for (const [key, { ill, since }] of this.#ills) {
      if (!ill.required || confirmed.has(key) || this.cluster.now - since < longerMs) continue;
      const isOutage = !['garbage', 'leak', 'stuck'].includes(classOf(ill.rule));
      yield {
        kind: isOutage ? 'missedOutages' : 'missedLeaks',
        sort: ill.rule,
        what: `${ill.rule} is silent: ${ill.what}`,
      };
    }
  }

  isTrue({ rule, subject }: Pick<Finding, 'rule' | 'subject'>): boolean {
    return this.#ills.has(keyOf(rule, subject.uid));
  }

  #wrong({ rule, subject, summary }: Finding): Offence {
    return {
      kind: 'wrongAccusations',
      sort: rule,
      what: `${rule} of ${subject.kind} ${subject.name}: ${summary}`,
    };
  }
}

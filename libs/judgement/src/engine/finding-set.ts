import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { plainOf, shownAs, type SuppressedBy, suppressedNow } from './suppression';

/**
 * Every finding in its newest revision, and which changed since the last call. A suppressed finding
 * is published as such, and kept as what it would be.
 */
export class FindingSet {
  readonly #suppressedBy: SuppressedBy;
  /** As they are shown. */
  readonly #findings = new Map<string, Finding>();
  /** Resolved findings in the order of their resolution, with its time. */
  readonly #resolved = new Map<string, string>();
  #changed = new Map<string, Finding>();

  constructor(suppressedBy: SuppressedBy = () => undefined) {
    this.#suppressedBy = suppressedBy;
  }

  /** As it would be, were nothing suppressed. */
  get(id: string): Finding | undefined {
    const shown = this.#findings.get(id);
    return shown && plainOf(shown);
  }

  /** As it is shown. */
  shown(id: string): Finding | undefined {
    return this.#findings.get(id);
  }

  /** Takes in a finding of an earlier run: nothing that changed now. */
  recall(finding: Finding): void {
    this.#findings.set(finding.id, finding);
    if (finding.resolvedAt !== null) this.#resolved.set(finding.id, finding.resolvedAt);
  }

  /**
   * The finding gets one new revision for each time that changes are taken, however often it changed
   * in between: a gap in the revisions would look like loss to a subscriber.
   */
  set(finding: Finding): void {
    const untaken = this.#changed.get(finding.id);
    const revision = untaken?.revision ?? (this.get(finding.id)?.revision ?? 0) + 1;
    const suppression = suppressedNow(this.#findings.get(finding.id), finding, this.#suppressedBy);
    const changed = shownAs({ ...finding, revision }, suppression);
    this.#resolved.delete(finding.id);
    this.recall(changed);
    this.#changed.set(finding.id, changed);
  }

  /** Shows what is suppressed from now on, and what is no more: each is a change. */
  applySuppressions(): void {
    for (const shown of this.open()) {
      const plain = plainOf(shown);
      const suppression = suppressedNow(shown, plain, this.#suppressedBy);
      if (JSON.stringify(suppression) !== JSON.stringify(shown.suppressed)) this.set(plain);
    }
  }

  /** Every finding that is not resolved. */
  open(): readonly Finding[] {
    return [...this.#findings.values()].filter((it) => it.state !== 'resolved');
  }

  /** Every finding that is resolved and not yet forgotten. */
  resolved(): readonly Finding[] {
    return [...this.#findings.values()].filter((it) => it.state === 'resolved');
  }

  takeChanged(): readonly Finding[] {
    const changed = [...this.#changed.values()];
    this.#changed = new Map();
    return changed;
  }

  /** Drops findings resolved before the time and returns their ids. */
  forgetResolved(before: string): readonly string[] {
    const forgotten: string[] = [];
    for (const [id, resolvedAt] of this.#resolved) {
      if (resolvedAt >= before) break;
      forgotten.push(id);
    }
    for (const id of forgotten) {
      this.#resolved.delete(id);
      this.#findings.delete(id);
    }
    return forgotten;
  }
}

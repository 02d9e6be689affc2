import type { Finding } from '@ovn-steward/contracts/findings/finding';

/** Every finding in its newest revision, and which changed since somebody last asked. */
export class FindingSet {
  readonly #findings = new Map<string, Finding>();
  /** Resolved findings in the order of their resolution, with its time. */
  readonly #resolved = new Map<string, string>();
  #changed = new Map<string, Finding>();

  get(id: string): Finding | undefined {
    return this.#findings.get(id);
  }

  /** Takes in a finding of an earlier run: nothing that changed now. */
  recall(finding: Finding): void {
    this.#findings.set(finding.id, finding);
    if (finding.resolvedAt !== null) this.#resolved.set(finding.id, finding.resolvedAt);
  }

  /**
   * Numbers the finding by what was taken last, however many steps led to it: to a subscriber, a revision passed over is one that was lost.
   * What changes again before anybody took it is one change.
   */
  set(finding: Finding): void {
    const untaken = this.#changed.get(finding.id);
    const revision = untaken?.revision ?? (this.get(finding.id)?.revision ?? 0) + 1;
    const changed = { ...finding, revision };
    this.#resolved.delete(finding.id);
    this.recall(changed);
    this.#changed.set(finding.id, changed);
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

import type { Finding } from '@ovn-steward/contracts/findings/finding';

/**
 * A rule's suspected findings in the order in which their grace ends. All of a rule's findings share one grace, so the
 * order of first sight is the order of ripening, and asking what is due costs what is due.
 */
export class Suspicions {
  readonly #since = new Map<string, number>();
  readonly #paused = new Set<string>();

  constructor(readonly graceMs: number) {}

  get size(): number {
    return this.#since.size;
  }

  note(finding: Finding): void {
    this.#paused.delete(finding.id);
    const since = Date.parse(finding.firstSeen);
    if (finding.state !== 'suspected') this.#since.delete(finding.id);
    else if (this.#since.get(finding.id) !== since) {
      this.#since.delete(finding.id);
      this.#since.set(finding.id, since);
    }
  }

  /** It cannot be judged now, so its time does not count. */
  pause(id: string): void {
    if (this.#since.delete(id)) this.#paused.add(id);
  }

  pauseAll(): void {
    for (const id of this.#since.keys()) this.#paused.add(id);
    this.#since.clear();
  }

  paused(id: string): boolean {
    return this.#paused.has(id);
  }

  /** Ids whose grace has passed at the watermark. */
  due(watermark: string): string[] {
    const through = watermark === '' ? -Infinity : Date.parse(watermark);
    const ids: string[] = [];
    for (const [id, since] of this.#since) {
      if (!(through > since && through >= since + this.graceMs)) break;
      ids.push(id);
    }
    return ids;
  }
}

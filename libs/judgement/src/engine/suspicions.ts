import type { Finding } from '@ovn-steward/contracts/findings/finding';

/**
 * A rule's suspected findings, by their grace in the order in which it ends. Of findings with one grace the order of first sight is the order of
 * ripening, so reading what is due costs what is due.
 */
export class Suspicions {
  readonly #sinceByGrace = new Map<number, Map<string, number>>();
  readonly #graceById = new Map<string, number>();
  readonly #paused = new Set<string>();

  /** @param graceOf milliseconds; called for each finding that is recorded. */
  constructor(readonly graceOf: (finding: Finding) => number) {}

  get size(): number {
    return this.#graceById.size;
  }

  update(finding: Finding): void {
    this.#paused.delete(finding.id);
    if (finding.state !== 'suspected') return void this.#delete(finding.id);
    const [since, grace] = [Date.parse(finding.firstSeen), this.graceOf(finding)];
    if (this.#graceById.get(finding.id) === grace && this.#of(grace).get(finding.id) === since)
      return;
    this.#delete(finding.id);
    this.#of(grace).set(finding.id, since);
    this.#graceById.set(finding.id, grace);
  }

  /** It cannot be judged now, so its time does not count. */
  pause(id: string): void {
    if (this.#delete(id)) this.#paused.add(id);
  }

  pauseAll(): void {
    for (const id of this.#graceById.keys()) this.#paused.add(id);
    this.#graceById.clear();
    this.#sinceByGrace.clear();
  }

  paused(id: string): boolean {
    return this.#paused.has(id);
  }

  /** Ids whose grace has passed at the watermark. */
  due(watermark: string): string[] {
    const through = watermark === '' ? -Infinity : Date.parse(watermark);
    const ids: string[] = [];
    for (const [grace, since] of this.#sinceByGrace)
      for (const [id, began] of since) {
        if (!(through > began && through >= began + grace)) break;
        ids.push(id);
      }
    return ids;
  }

  #of(grace: number): Map<string, number> {
    const known = this.#sinceByGrace.get(grace);
    if (known !== undefined) return known;
    const since = new Map<string, number>();
    this.#sinceByGrace.set(grace, since);
    return since;
  }

  #delete(id: string): boolean {
    const grace = this.#graceById.get(id);
    if (grace === undefined) return false;
    this.#sinceByGrace.get(grace)?.delete(id);
    return this.#graceById.delete(id);
  }
}

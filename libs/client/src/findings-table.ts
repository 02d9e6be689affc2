import type { Finding } from './finding';
import { isOpen } from './is-open';
import { type KnownFinding, readFinding, type ReadFinding, type TopicRecord } from './read-record';

/** What a record changed: a finding as it is now, or the id of one that is forgotten. */
export type FindingChange<F extends KnownFinding = Finding> =
  { readonly finding: F } | { readonly forgotten: string };

/**
 * The findings of a topic in memory, for who reads it from its beginning: of each id the highest
 * revision, whatever is sent again behind it, until its tombstone. What is no finding is passed
 * over.
 */
export class FindingsTable<F extends KnownFinding = Finding, R = TopicRecord> {
  readonly #findings = new Map<string, F>();
  readonly #read: (partition: number, record: R) => ReadFinding<F>;

  /** @param read how a record is read, for who accepts less than `readFinding` does. */
  constructor(
    read: (partition: number, record: R) => ReadFinding<F> = (_, record) =>
      readFinding(record as TopicRecord) as unknown as ReadFinding<F>,
  ) {
    this.#read = read;
  }

  /** Takes one record of that partition. Undefined where it changes nothing. */
  take(partition: number, record: R): FindingChange<F> | undefined {
    const read = this.#read(partition, record);
    if ('poison' in read) return undefined;
    if ('forgotten' in read) return this.#findings.delete(read.forgotten) ? read : undefined;
    const { finding } = read;
    if (finding.revision <= (this.#findings.get(finding.id)?.revision ?? 0)) return undefined;
    this.#findings.set(finding.id, finding);
    return { finding };
  }

  /** Resolved and suppressed ones among them. */
  findings(): readonly F[] {
    return [...this.#findings.values()];
  }

  open(): readonly F[] {
    return this.findings().filter(isOpen);
  }
}

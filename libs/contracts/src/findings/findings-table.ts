import type { LogRecord } from '@ovn-steward/shared/log/log';
import { decodeFinding } from './finding-codec';
import type { Finding } from './finding';

/**
 * The findings of a topic as they stand, for who reads it from its beginning: of each id the highest revision, whatever is sent again behind it,
 * until its tombstone. What cannot be read is passed over.
 */
export class FindingsTable {
  readonly #findings = new Map<string, Finding>();

  /** Takes one record of that partition. */
  take(partition: number, record: Pick<LogRecord, 'key' | 'value'>): void {
    const read = decodeFinding(partition, record);
    if ('forgotten' in read) this.#findings.delete(read.forgotten);
    if (!('finding' in read)) return;
    const { finding } = read;
    if (finding.revision > (this.#findings.get(finding.id)?.revision ?? 0))
      this.#findings.set(finding.id, finding);
  }

  /** Resolved and suppressed ones among them. */
  findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }
}

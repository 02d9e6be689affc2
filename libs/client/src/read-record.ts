import type { Finding } from './finding';
import type { SourceStatus } from './source-status';

/** A record as clients of Kafka give it, as bytes or text. */
export interface TopicRecord {
  readonly key: Uint8Array | string | null;
  /** null is a tombstone. */
  readonly value: Uint8Array | string | null;
}

/** What a reader of findings needs of one. */
export interface KnownFinding {
  readonly id: string;
  readonly cluster: string;
  readonly state: string;
  readonly revision: number;
}

/**
 * A record of `steward.findings.v1`: a finding, the id of one that is forgotten, or why it is
 * neither.
 */
export type ReadFinding<F extends KnownFinding = Finding> =
  { readonly finding: F } | { readonly forgotten: string } | { readonly poison: string };

/**
 * A record of `steward.status.v1`: a status, the key of one that is forgotten, or why it is
 * neither.
 */
export type ReadStatus =
  { readonly status: SourceStatus } | { readonly forgotten: string } | { readonly poison: string };

/**
 * Reads a record of findings. Never throws. Unknown fields and words of later versions stay as they
 * are. What is no finding under its own key is poison: keep a record of it, and go on.
 */
export function readFinding({ key, value }: TopicRecord): ReadFinding {
  const id = textOf(key);
  if (value === null) return { forgotten: id };
  const event = objectIn(textOf(value));
  const finding = event?.['data'] as Partial<Finding> | null | undefined;
  if (typeof finding !== 'object' || finding === null) return { poison: 'it has no finding in it' };
  if (finding.id !== id) return { poison: 'its key is not the id of its finding' };
  if (!Number.isSafeInteger(finding.revision) || typeof finding.state !== 'string')
    return { poison: 'its finding has no revision or no state' };
  if (typeof finding.cluster !== 'string') return { poison: 'its finding names no cluster' };
  return { finding: finding as Finding };
}

/** Reads a record of the status. Never throws. */
export function readStatus({ key, value }: TopicRecord): ReadStatus {
  const id = textOf(key);
  if (value === null) return { forgotten: id };
  const status = objectIn(textOf(value)) as Partial<SourceStatus> | undefined;
  if (status === undefined || `${status.cluster}/${status.source}` !== id)
    return { poison: 'it is no status under its own key' };
  if (status.version !== 1) return { poison: 'it is no status of version 1' };
  if (typeof status.complete !== 'boolean' || !/^\d+$/.test(status.findingsThrough ?? ''))
    return { poison: 'it does not say how far the source is known' };
  return { status: status as SourceStatus };
}

const textOf = (bytes: Uint8Array | string | null): string =>
  typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes ?? new Uint8Array());

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined; // not JSON, so nothing of ours
  }
}

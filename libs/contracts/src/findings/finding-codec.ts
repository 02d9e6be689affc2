import type { Headers, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { z } from 'zod';
import { type Poison, readDocument } from '../record/read-document';
import { Finding } from './finding';
import { findingEvent, FindingEvent } from './finding-event';
import { ANALYZER_HEADER, CHANGES_HEADER, type FindingOrigin } from './finding-origin';

/** A record of the findings topic, but for when it is appended. */
export interface EncodedFinding {
  readonly key: string;
  readonly value: string | null;
  readonly headers: Headers;
}

/**
 * A record of the findings topic, read: a finding as it was written, the tombstone of one, or
 * neither.
 */
export type DecodedFinding =
  /**
   * Not `understood`: it uses words of a later version, and is to be kept and shown and never acted
   * on.
   */
  | { readonly finding: Finding; readonly understood: boolean }
  | { readonly forgotten: string }
  | Poison;

export const encodeFinding = (finding: Finding, origin: FindingOrigin): EncodedFinding =>
  encodeEvent(finding.id, JSON.stringify(findingEvent(finding)), origin);

/** A finding's event as it was written before. */
export const encodeEvent = (id: string, value: string, from: FindingOrigin): EncodedFinding => ({
  key: id,
  value,
  headers: {
    'content-type': 'application/cloudevents+json',
    [CHANGES_HEADER]: from.changes,
    [ANALYZER_HEADER]: from.analyzer,
  },
});

/** The finding is forgotten. */
export const encodeForgotten = (
  id: string,
  { analyzer, changes }: FindingOrigin,
): EncodedFinding => ({
  key: id,
  value: null,
  headers: { [CHANGES_HEADER]: changes, [ANALYZER_HEADER]: analyzer },
});

/** The finding in a value that `encodeFinding` wrote. */
export const findingIn = (value: string): Finding => (JSON.parse(value) as FindingEvent).data;

/**
 * Reads one record of that partition. Never throws. A finding under a key or in a partition that is
 * not its own is poison: its tombstone would not be met.
 */
export function decodeFinding(
  partition: number,
  { key, value }: Pick<LogRecord, 'key' | 'value'>,
): DecodedFinding {
  if (value === null) return { forgotten: key };
  // The envelope's own words are fixed.
  const read = readDocument(FindingEvent, 'a finding', value, ([first]) => first === 'data');
  if ('poison' in read) return read;
  const { data: finding } = read.document;
  if (key !== finding.id) return { poison: `its key is not the finding's id, ${finding.id}` };
  const own = partitionOf(finding.cluster, PARTITIONS);
  return own === partition
    ? { finding, understood: read.understood }
    : { poison: `findings of cluster ${finding.cluster} belong to partition ${own}` };
}

/** Whether this version knows every word in it. Of what it does not, nothing may be removed. */
export const isUnderstood = (finding: Finding): boolean => Finding.safeParse(finding).success;

const NamedFinding = z.object({ data: z.object({ id: z.string(), cluster: z.string() }) });

/**
 * The cluster of a finding under its own key, also of one whose version cannot be read here;
 * undefined for anything else. Never throws.
 */
export function clusterOfFinding({
  key,
  value,
}: Pick<LogRecord, 'key' | 'value'>): string | undefined {
  try {
    const event: unknown = JSON.parse(value?.toString('utf8') ?? '');
    const { success, data } = NamedFinding.safeParse(event);
    return success && data.data.id === key ? data.data.cluster : undefined;
  } catch {
    return undefined; // not JSON, so no finding of any version
  }
}

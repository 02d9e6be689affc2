import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { ANALYZER_HEADER } from '../findings/finding-origin';
import { type Poison, readDocument } from '../record/read-document';
import { SourceStatus } from './source-status';

/**
 * A record of the status topic, read: what is known of a source, the tombstone of a key, or
 * neither.
 */
export type DecodedStatus =
  /** As it was written; words of a later version are still there. */
  { readonly status: SourceStatus } | { readonly forgotten: string } | Poison;

/** One source of one cluster has one key. */
const keyOf = ({ cluster, source }: Pick<SourceStatus, 'cluster' | 'source'>): string =>
  `${cluster}/${source}`;

export const encodeStatus = (status: SourceStatus, at: Date): NewRecord => ({
  key: keyOf(status),
  value: JSON.stringify(status),
  headers: { 'content-type': 'application/json', [ANALYZER_HEADER]: status.analyzer.id },
  timestamp: at.getTime(),
});

/**
 * Reads one record of that partition. Never throws. What stands under a key or in a partition that
 * is not its own is poison.
 */
export function decodeStatus(
  partition: number,
  { key, value }: Pick<LogRecord, 'key' | 'value'>,
): DecodedStatus {
  if (value === null) return { forgotten: key };
  const read = readDocument(SourceStatus, 'a status', value);
  if ('poison' in read) return read;
  const status = read.document;
  if (key !== keyOf(status)) return { poison: `its key is not ${keyOf(status)}` };
  const own = partitionOf(status.cluster, PARTITIONS);
  return own === partition
    ? { status }
    : { poison: `the status of cluster ${status.cluster} belongs to partition ${own}` };
}

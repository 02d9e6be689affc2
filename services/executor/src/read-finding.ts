import { FindingEvent } from '@ovn-steward/shared/events/envelope';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { messageOf } from '@ovn-steward/shared/errors';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';

/** What every finding says of itself, also one whose other words we do not know. */
export type Named = Pick<Finding, 'id' | 'cluster' | 'revision'>;

/**
 * A record of the findings topic: a finding; the tombstone of one; one of version 1 that uses a word added later (its lists of words are
 * open: contracts/schemas), which is to be tolerated and never acted on; or what is no finding at all, with the reason.
 */
export type Read = { readonly finding: Finding } | { readonly forgotten: string } | { readonly newer: Named } | { readonly poison: string };

/** Reads one record of that partition. Never throws. */
export function readFinding(partition: number, record: LogRecord): Read {
  if (record.value === null) return { forgotten: record.key };
  const event = parsed(record.value);
  if ('poison' in event) return event;
  const read = understood(event.json);
  if ('poison' in read) return read;
  const { id, cluster } = 'finding' in read ? read.finding : read.newer;
  if (record.key !== id) return { poison: `its key is not the finding's id, ${id}` };
  if (partitionOf(cluster, PARTITIONS) !== partition) return { poison: `findings of cluster ${cluster} belong into partition ${partitionOf(cluster, PARTITIONS)}` };
  return read;
}

function parsed(value: Buffer): { readonly json: unknown } | { readonly poison: string } {
  try {
    return { json: JSON.parse(value.toString('utf8')) };
  } catch (error) {
    return { poison: `not JSON: ${messageOf(error)}` };
  }
}

function understood(event: unknown): { readonly finding: Finding } | { readonly newer: Named } | { readonly poison: string } {
  const { success, data, error } = FindingEvent.safeParse(event);
  if (success) return { finding: data.data };
  const wrong = error.issues.find((it) => !isUnknownWord(event, it));
  if (wrong !== undefined) return { poison: `not a finding of version 1: ${wrong.path.join('.')} ${wrong.message}`.replace(':  ', ': ') };
  const { id, cluster, revision } = (event as { data: Finding }).data;
  return { newer: { id, cluster, revision } };
}

/** A text where one of a list of known ones is wanted, within the finding; the envelope's own words are fixed. */
const isUnknownWord = (event: unknown, { code, path }: { readonly code: string; readonly path: readonly PropertyKey[] }): boolean =>
  path[0] === 'data' && (code === 'invalid_value' || code === 'invalid_union') && typeof at(event, path) === 'string';

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<PropertyKey, unknown>)[key] : undefined), value);

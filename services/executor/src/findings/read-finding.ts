import { FindingEvent } from '@ovn-steward/contracts/findings/finding-event';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { messageOf } from '@ovn-steward/shared/errors';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { isUnknownWord } from './unknown-word';

/** What every finding says of itself, also one whose other words we do not know. */
export type Named = Pick<Finding, 'id' | 'cluster' | 'revision'>;

/**
 * A record of the findings topic: a finding; the tombstone of one; one of version 1 that uses a word added later (its lists of words are
 * open: contracts/schemas), which is to be tolerated and never acted on; or what is no finding at all, with the reason.
 */
export type Read =
  | { readonly finding: Finding }
  | { readonly forgotten: string }
  | { readonly newer: Named }
  | { readonly poison: string };

/** Reads one record of that partition. Never throws. */
export function readFinding(partition: number, record: LogRecord): Read {
  if (record.value === null) return { forgotten: record.key };
  const event = parsed(record.value);
  if ('poison' in event) return event;
  const read = understood(event.json);
  if ('poison' in read) return read;
  const { id, cluster } = 'finding' in read ? read.finding : read.newer;
  if (record.key !== id) return { poison: `its key is not the finding's id, ${id}` };
  if (partitionOf(cluster, PARTITIONS) !== partition)
    return {
      poison: `findings of cluster ${cluster} belong into partition ${partitionOf(cluster, PARTITIONS)}`,
    };
  return read;
}

function parsed(value: Buffer): { readonly json: unknown } | { readonly poison: string } {
  try {
    return { json: JSON.parse(value.toString('utf8')) };
  } catch (error) {
    return { poison: `not JSON: ${messageOf(error)}` };
  }
}

function understood(
  event: unknown,
): { readonly finding: Finding } | { readonly newer: Named } | { readonly poison: string } {
  const { success, data, error } = FindingEvent.safeParse(event);
  if (success) return { finding: data.data };
  // The envelope's own words are fixed.
  const wrong = error.issues.find((it) => it.path[0] !== 'data' || !isUnknownWord(event, it));
  if (wrong !== undefined)
    return {
      poison: `not a finding of version 1: ${wrong.path.join('.')} ${wrong.message}`.replace(
        ':  ',
        ': ',
      ),
    };
  const { id, cluster, revision } = (event as { data: Finding }).data;
  return { newer: { id, cluster, revision } };
}

import { findingEvent } from '@ovn-steward/contracts/findings/finding-event';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import type { Outgoing } from '../store/checkpoint';

/** On every record of ours: which checkpoint it came from, so that an analyzer knows its own records from another's. */
export const ANALYZER_HEADER = 'analyzer';
/** On every finding: the changes it came from, `<partition>/<first offset>-<last offset>`. */
export const CHANGES_HEADER = 'changes';

export type Unsent = Omit<Outgoing, 'seq'>;

/** What is said of where a record came from. */
export interface Origin {
  readonly analyzer: string;
  readonly changes: string;
}

export const changesOf = (partition: number, first: bigint, last: bigint): string =>
  `${partition}/${first}-${last}`;

/** The last of the changes that such a header names; undefined when it names none of this partition. */
export function lastOf(changes: string | undefined, partition: number): bigint | undefined {
  const [, of, last] = /^(\d+)\/\d+-(\d+)$/.exec(changes ?? '') ?? [];
  return last === undefined || Number(of) !== partition ? undefined : BigInt(last);
}

export const findingRecord = (finding: Finding, origin: Origin): Unsent =>
  eventRecord(finding.id, JSON.stringify(findingEvent(finding)), origin);

/** A finding's event as it was written before, or is now. */
export const eventRecord = (id: string, value: string, { analyzer, changes }: Origin): Unsent => ({
  topic: FINDINGS,
  key: id,
  value,
  headers: {
    'content-type': 'application/cloudevents+json',
    [CHANGES_HEADER]: changes,
    [ANALYZER_HEADER]: analyzer,
  },
});

/** The finding is forgotten. */
export const tombstone = (id: string, { analyzer, changes }: Origin): Unsent => ({
  topic: FINDINGS,
  key: id,
  value: null,
  headers: { [CHANGES_HEADER]: changes, [ANALYZER_HEADER]: analyzer },
});

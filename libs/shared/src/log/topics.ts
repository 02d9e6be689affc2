import type { TopicSpec } from './log';
import { OUR_PREFIX } from './topic-prefix';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MIB = 1_048_576;

/**
 * Fixed for ever. Another number would send known keys to other partitions; a change means new
 * topics (`.v2`).
 */
export const PARTITIONS = 12;

const compacted = (
  name: string,
  minCompactionLagMs: number,
  maxCompactionLagMs: number,
  deleteRetentionMs: number,
  maxMessageBytes = MIB,
): TopicSpec => ({
  name,
  partitions: PARTITIONS,
  cleanup: 'compact',
  minCompactionLagMs,
  maxCompactionLagMs,
  deleteRetentionMs,
  maxMessageBytes,
});

/** The topics' names: part of the public contract. */
export const CHANGES = 'steward.changes.v1';
export const FINDINGS = 'steward.findings.v1';
export const STATUS = 'steward.status.v1';
export const CONTROL = 'steward.control.v1';
export const ACTIONS = 'steward.actions.v1';
export const DEAD_LETTER = 'steward.dead-letter.v1';

/**
 * Every topic. The whole history is kept for a day at least; a reader that was away longer than a
 * topic's delete retention has missed tombstones and must rebuild from the beginning. A dead letter
 * is a record of ours inside another record of ours, so it may be larger. A change carries a whole
 * row: an address set of 100,000 addresses has some 2 MiB.
 */
export const TOPICS: readonly TopicSpec[] = [
  compacted(CHANGES, DAY, 2 * DAY, 7 * DAY, 8 * MIB),
  compacted(FINDINGS, DAY, 2 * DAY, 30 * DAY),
  compacted(STATUS, DAY, 2 * DAY, 30 * DAY),
  compacted(CONTROL, DAY, 2 * DAY, 30 * DAY, 8 * MIB),
  compacted(ACTIONS, 30 * DAY, 60 * DAY, 90 * DAY, 8 * MIB),
  {
    name: DEAD_LETTER,
    partitions: PARTITIONS,
    cleanup: 'delete',
    retentionMs: 14 * DAY,
    maxMessageBytes: 16 * MIB,
  },
];

/**
 * Whether services read a topic of this name, under whatever prefix: nobody else may write there.
 */
export const isServiceTopic = (topic: string): boolean =>
  TOPICS.some(({ name }) => {
    const rest = name.slice(OUR_PREFIX.length);
    const prefix = topic.slice(0, -rest.length);
    return topic.endsWith(rest) && (prefix === '' || /[._-]$/.test(prefix));
  });

import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import { batchBytes } from '@ovn-steward/shared/log/batch-bytes';
import { DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Unsent } from '../store/checkpoint-step';

const MOST_BYTES: ReadonlyMap<string, number> = new Map(
  TOPICS.map((it) => [it.name, it.maxMessageBytes]),
);

/**
 * The record, or, when it is larger than its topic takes, its dead letter: a row may have a name of
 * megabytes, and its writer must not be able to stop us.
 *
 * @param id of the event, for the letter.
 */
export function fitting(
  unsent: Unsent,
  { id, partition, at }: { readonly id: string; readonly partition: number; readonly at: Date },
): Unsent {
  const record = { ...unsent, timestamp: at.getTime() };
  const bytes = batchBytes([record]);
  const most = MOST_BYTES.get(unsent.topic) ?? Infinity;
  if (bytes <= most) return unsent;
  const why = `it has ${bytes} bytes, and the topic takes ${most}; the finding stands all the same: look at its subject`;
  const {
    key,
    value,
    headers = {},
  } = deadLetterOf({
    topic: unsent.topic,
    partition,
    record: { ...record, id },
    by: 'analyzer',
    at,
    why,
  });
  return { topic: DEAD_LETTER, key, value: String(value), headers };
}

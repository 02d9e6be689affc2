import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import type { EncodedFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { ANALYZER_HEADER } from '@ovn-steward/contracts/findings/finding-origin';
import type { LogBatch, LogRecord } from '@ovn-steward/shared/log/log';
import { DEAD_LETTER, FINDINGS } from '@ovn-steward/shared/log/topics';
import type { Unsent } from '../store/checkpoint-step';

/** What an analyzer publishes on the topic of findings. */
export const toFindings = (encoded: EncodedFinding): Unsent => ({ topic: FINDINGS, ...encoded });

/**
 * What an analyzer publishes of a change that it cannot read.
 *
 * @param why one sentence.
 */
export function toDeadLetters(
  { topic, partition }: Pick<LogBatch, 'topic' | 'partition'>,
  record: LogRecord,
  why: string,
  { analyzer, at }: { readonly analyzer: string; readonly at: Date },
): Unsent {
  const {
    key,
    value,
    headers = {},
  } = deadLetterOf({ topic, partition, record, by: 'analyzer', at, why });
  return {
    topic: DEAD_LETTER,
    key,
    value: String(value),
    headers: { ...headers, [ANALYZER_HEADER]: analyzer },
  };
}

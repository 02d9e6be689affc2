import { findingIn } from '@ovn-steward/contracts/findings/finding-codec';
import { CHANGES_HEADER } from '@ovn-steward/contracts/findings/finding-origin';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Failure } from '@ovn-steward/shared/errors';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log } from '@ovn-steward/shared/log/log';
import { FINDINGS } from '@ovn-steward/shared/log/topics';
import type { Checkpoint } from '../store/checkpoint';
import type { OutgoingRecord } from '../store/checkpoint-step';
import { othersPublished } from './published';

const MOST_AT_ONCE = 500;

/** A finding that was published, with where it came from. */
export interface PublishedFinding {
  readonly finding: Finding;
  /** `<partition>/<first offset>-<last offset>` of the changes it came from. */
  readonly changes: string;
}

export interface RelayOptions {
  readonly log: Log;
  readonly partition: number;
  readonly clock: () => Date;
  readonly onFindings?: (findings: readonly PublishedFinding[]) => void;
}

/**
 * Publishes what the checkpoint holds ready, oldest first, and records what is out.
 * @throws Failure `log-partition-lost` when another analyzer published findings meanwhile: two
 *   analyzers have the partition, and ours may be the one that knows less.
 */
export async function relay(checkpoint: Checkpoint, options: RelayOptions): Promise<void> {
  for (
    let waiting = checkpoint.outgoing(MOST_AT_ONCE);
    waiting.length > 0;
    waiting = checkpoint.outgoing(MOST_AT_ONCE)
  ) {
    const { topic } = waiting[0]!;
    const timestamp = options.clock().getTime();
    const run = waiting.slice(0, runLength(waiting, topic)).map((it) => ({ ...it, timestamp }));
    for (const batch of inBatches(run)) {
      const { first, next } = await options.log.append(topic, options.partition, batch);
      if (topic !== FINDINGS) {
        checkpoint.sent(batch.at(-1)!.seq);
        continue;
      }
      // Records between the last of ours and these: our own whose outcome we never learned, or
      // another's.
      if (
        first !== checkpoint.findingsNext &&
        (await othersPublished(
          options.log,
          options.partition,
          checkpoint.findingsNext,
          checkpoint.id,
        ))
      )
        throw disturbed(options.partition);
      checkpoint.sent(batch.at(-1)!.seq, next);
      const published = options.onFindings ? publishedIn(batch) : [];
      if (published.length > 0) options.onFindings?.(published);
    }
  }
}

const publishedIn = (batch: readonly OutgoingRecord[]): readonly PublishedFinding[] =>
  batch.flatMap(({ value, headers }) =>
    value === null ? [] : [{ finding: findingIn(value), changes: headers[CHANGES_HEADER] ?? '' }],
  );

const runLength = (waiting: readonly OutgoingRecord[], topic: string): number => {
  const end = waiting.findIndex((it) => it.topic !== topic);
  return end < 0 ? waiting.length : end;
};

/** Whether the partition is another's. */
export const isLost = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'log-partition-lost';

const disturbed = (partition: number): Failure =>
  new Failure(
    'log-partition-lost',
    `Another analyzer published findings in partition ${partition} while this one did: it is read again from the log. If it happens again, look for a second group of analyzers.`,
  );

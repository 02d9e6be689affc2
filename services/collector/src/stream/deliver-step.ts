import { messageOf } from '@ovn-steward/shared/errors';
import { retrying } from '@ovn-steward/shared/retrying';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { AppendAck } from '@ovn-steward/shared/log/log';
import type { Mirror } from '../mirror/mirror';
import type { StreamStep } from './observed-stream';

/** Where changes are in the log now. */
export interface PublishedChanges {
  readonly partition: number;
  /** In order; what lies next to each other is one. */
  readonly offsets: readonly AppendAck[];
  /** The keys of what was too large to be published, and lies among the dead letters. */
  readonly omitted?: readonly string[];
}

/**
 * Resolves when the changes are acknowledged: durable, in this order, before anything published
 * later. With where they are, if they went into a log. `contents`: see `Step`.
 */
export type Publish = (
  changes: readonly Change[],
  contents?: StreamStep['contents'],
) => Promise<PublishedChanges | void>;

/**
 * Publishing or remembering failed for good: no fault of the source, and reading it again would not
 * help.
 */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
}

export interface DeliverStepOptions {
  readonly mirror: Mirror;
  readonly publish: Publish;
  readonly backOff: (attempt: number) => number;
  readonly onRetry: (error: string, retryInMs: number) => void;
}

/**
 * Publishes until acknowledged, then settles: see `Mirror` for why in this order. The same changes,
 * with the same ids, are sent again after a failure that may pass; nothing newer goes out
 * meanwhile. An abort between attempts leaves the step to the next catch-up, as a crash would.
 *
 * @returns what publishing did; undefined when the signal ended the attempts.
 * @throws Undelivered when a failure will not pass (`cause` is the failure).
 */
export async function deliverStep(
  options: DeliverStepOptions,
  step: StreamStep,
  signal: AbortSignal,
): Promise<{ readonly published: PublishedChanges | undefined } | undefined> {
  const { mirror } = options;
  const { stream, changes, contents, writes } = step;
  try {
    const done = await publishing(options, changes, contents, signal);
    if (!done) return undefined;
    const { epoch, seq } = changes.at(-1)!;
    const place = done.published && { offsets: done.published.offsets, epoch, seq };
    if (writes.length || place) mirror.commit(stream, writes, place);
    return done;
  } catch (cause) {
    throw new Undelivered(messageOf(cause), { cause });
  }
}

async function publishing(
  { publish, backOff, onRetry }: DeliverStepOptions,
  changes: readonly Change[],
  contents: StreamStep['contents'],
  signal: AbortSignal,
) {
  return retrying(
    async () => ({ published: (await publish(changes, contents)) ?? undefined }),
    { backOff, onRetry: (error, retryInMs) => onRetry(messageOf(error), retryInMs) },
    signal,
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, retryOf } from '@ovn-steward/shared/errors';
import type { Change } from '@ovn-steward/shared/events/change';
import type { Mirror } from './mirror';
import type { Step } from './stream';

/** Resolves when the changes are acknowledged: durable, in this order, before anything published later. */
export type Publish = (changes: readonly Change[]) => Promise<void>;

/** Publishing or remembering failed for good: no fault of the source, and reading it again would not help. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
}

export interface DeliverOptions {
  readonly mirror: Mirror;
  readonly publish: Publish;
  readonly backOff: (attempt: number) => number;
  readonly onRetry: (error: string, retryInMs: number) => void;
}

/**
 * Doubt, publish until acknowledged, settle: see `Mirror` for why in this order. The same changes, with the same ids, are sent again after
 * a failure that may pass; nothing newer goes out meanwhile. An abort between attempts leaves the step in doubt, as a crash would.
 *
 * @returns false when the signal ended the attempts.
 * @throws Undelivered when a failure will not pass (`cause` is the failure).
 */
export async function deliver({ mirror, publish, backOff, onRetry }: DeliverOptions, step: Step, signal: AbortSignal): Promise<boolean> {
  try {
    if (step.writes.length) mirror.doubt(step.stream, step.writes);
    for (let attempt = 1; ; attempt++) {
      const failed = await publish(step.changes).then(() => undefined, (error: unknown) => ({ error }));
      if (!failed) break;
      if (retryOf(failed.error, 'later') === 'never') throw failed.error;
      onRetry(messageOf(failed.error), backOff(attempt));
      await sleep(backOff(attempt), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
    }
    if (step.writes.length) mirror.settle(step.stream, step.writes);
    return true;
  } catch (cause) {
    throw new Undelivered(messageOf(cause), { cause });
  }
}

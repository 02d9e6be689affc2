import { pause } from '@ovn-steward/shared/pause';
import { Failure } from '@ovn-steward/shared/errors';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { readDenials } from './denials';
import type { GuardEvent } from './guard-event';
import { reportDenials } from './report-denials';

export interface WatchDenialsOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'writeEvent' | 'samples'>;
  /** Must not throw. */
  readonly onEvent: (event: GuardEvent) => void;
  /** The real clock by default. */
  readonly now?: () => Date;
  /** How often it reads what the policies refused; milliseconds. Default: 5 minutes. */
  readonly everyMs?: number;
}

/** The metrics of an API server may be megabytes. */
const EVERY_MS = 300_000;

/**
 * Says what the policies refused, also on them, until the signal fires. Without the right to read
 * the API server's metrics, or while they cannot be read, there is no count, which is said once,
 * and nothing else is amiss.
 */
export async function watchDenials(
  { kubernetes, onEvent, now = () => new Date(), everyMs = EVERY_MS }: WatchDenialsOptions,
  signal: AbortSignal,
): Promise<void> {
  const report = reportDenials({
    kubernetes,
    now,
    onFailure: (error) => onEvent({ type: 'guard-failed', error }),
  });
  let reported = '';
  while (!signal.aborted) {
    try {
      const denials = await readDenials(kubernetes, signal);
      onEvent({ type: 'guard-denials', denials: denials.byPolicy });
      await report(denials, signal);
      reported = '';
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      if (error.message !== reported)
        onEvent({
          type: 'guard-failed',
          error: `What our policies refused is not known: ${error.message}`,
        });
      reported = error.message;
    }
    await pause(everyMs, signal);
  }
}

import { Failure } from '@ovn-steward/shared/errors';
import { pause } from '@ovn-steward/shared/pause';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import type { ControlState } from './control-state';

/**
 * How long `wait` waits, in milliseconds. A caller that used an older read could act against a
 * decision made a moment ago; one that waited longer would delay all others.
 */
const FRESH_WITHIN_MS = 3000;

/** Callers that wait for a read to the end that begins after their call. */
export interface WaitingReaders {
  wait(signal: AbortSignal): Promise<ControlState>;
  /** Such a read is done, which began then by the steady clock. */
  read(beganAt: number, decided: ControlState): void;
  /**
   * Resolves when the time is over or a caller begins to wait, whichever comes first; at once while
   * a caller waits for which no read was tried yet.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export function waitingReaders(): WaitingReaders {
  const waiting = new Map<(decided: ControlState) => void, number>();
  let wake = new AbortController();
  let tried = new Set<(decided: ControlState) => void>();
  return {
    async wait(signal) {
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const done = (decided: ControlState): void => resolve(decided);
        const end = timeLimit(FRESH_WITHIN_MS, signal);
        end.addEventListener(
          'abort',
          () => {
            if (!waiting.delete(done)) return;
            reject(
              signal.aborted
                ? (signal.reason as Error)
                : new Failure(
                    'log-unavailable',
                    `What people decided could not be read within ${FRESH_WITHIN_MS / 1000} s, and somebody may have said stop: nothing was sent. See to the log.`,
                  ),
            );
          },
          { once: true },
        );
        waiting.set(done, performance.now());
        wake.abort();
      });
    },
    read(beganAt, decided) {
      for (const [done, since] of waiting) {
        if (since > beganAt) continue;
        waiting.delete(done);
        done(decided);
      }
    },
    async sleep(ms, signal) {
      // Each that waits is read for at once, once: after a failure it waits like all others.
      const untried = [...waiting.keys()].some((it) => !tried.has(it));
      tried = new Set(waiting.keys());
      if (untried) return;
      wake = new AbortController();
      await pause(ms, signal, wake.signal);
      tried = new Set(waiting.keys());
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, retryOf } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import { timeLimit } from '@ovn-steward/shared/time-limit';

/** How often to observe; milliseconds. */
const POLL_INTERVAL_MS = 1000;

export interface WaitUntilOptions {
  /** What is still waited for; none when it is there. */
  readonly observe: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Called with a line whenever what is waited for changes. */
  readonly print: (line: string) => void;
  readonly timeoutMs: number;
  readonly everyMs?: number;
}

/** How it ended. */
export interface Waited {
  readonly there: boolean;
  /** What is missing; none when it is there. */
  readonly waitsFor: readonly string[];
  /**
   * Why the last observation failed, where it did: then `waitsFor` is of the observation before, if
   * any succeeded.
   */
  readonly trouble: string | undefined;
  readonly waitedMs: number;
}

/**
 * Observes again and again until nothing is waited for or the time is over; always once. An
 * observation that fails is repeated and proves nothing.
 * @throws what `observe` throws, when trying again cannot help.
 */
export async function waitUntil({
  observe,
  print,
  timeoutMs,
  everyMs = POLL_INTERVAL_MS,
}: WaitUntilOptions): Promise<Waited> {
  const begun = performance.now();
  // 0 means one whole observation.
  const over = timeoutMs === 0 ? new AbortController().signal : timeLimit(timeoutMs);
  let waitsFor: readonly string[] = [];
  let trouble: string | undefined = 'the first read had no answer when the time was over';
  let said: string = '';
  for (;;) {
    try {
      waitsFor = await observe(over);
      trouble = undefined;
    } catch (error) {
      if (retryOf(error, 'later') === 'never') throw error;
      if (!over.aborted) trouble = messageOf(error);
    }
    const waitedMs = performance.now() - begun;
    const there = trouble === undefined && waitsFor.length === 0;
    if (there || over.aborted || waitedMs >= timeoutMs)
      return { there, waitsFor, trouble, waitedMs };
    const line =
      trouble === undefined
        ? `Waiting for ${waitsFor.join('; ')}.`
        : `The state could not be read; trying again: ${trouble}`;
    if (line !== said) print(safeText((said = line), 1000));
    await sleep(Math.min(everyMs, timeoutMs - waitedMs));
  }
}

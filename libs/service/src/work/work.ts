import { messageOf, retryOf } from '@ovn-steward/shared/errors';
import { retrying } from '@ovn-steward/shared/retrying';
import type { Logger } from '../log/logger';
import type { Lack } from './lack';
import type { ServiceRuntime } from './service';

export interface WorkOptions {
  readonly logger: Logger;
  /** Called before each further attempt. */
  readonly onRetry?: () => void;
  /**
   * Milliseconds to wait before the given further attempt (1, 2, …). Half a second, doubling up to
   * half a minute, by default.
   */
  readonly backOff?: (attempt: number) => number;
}

/** The token of the `Work` of an application. */
export const WORK = Symbol('WORK');

/** The work of a service, from its start until everything it opened is closed again. */
export interface Work {
  /**
   * Works, again after every failure that may pass. Settles when `end` was called or nothing is
   * left to do.
   * @throws what trying again cannot mend.
   */
  start(): Promise<void>;
  /**
   * Ends it in order: no more is taken, what is in hand is finished, what was opened is closed.
   * @throws what finishing failed with.
   */
  end(): Promise<void>;
  /** Why it is not at work, if so. */
  missing(): readonly Lack[];
  /** What it ended with, once it failed for good. */
  failure(): string | undefined;
  /** What it is busy with, for saying what hung. */
  doing(): string;
}

/** An attempt that lasted so long was a success: the next failure begins a new series. */
const STEADY_MS = 60_000;

export function workOf(service: Pick<ServiceRuntime, 'work'>, options: WorkOptions): Work {
  const { logger } = options;
  const stop = new AbortController();
  let doing = 'starting';
  let lacking: Lack | undefined = { what: 'work', detail: 'it has not begun' };
  let failure: string | undefined;
  let working: Promise<void> | undefined;

  /** One attempt, and whatever it opened closed again, the last opened first. */
  const attempt = async (): Promise<void> => {
    const open: { what: string; close: () => void | Promise<void> }[] = [];
    doing = 'work';
    lacking = undefined;
    try {
      await service.work(stop.signal, (what, close) => open.unshift({ what, close }));
    } catch (error) {
      // An operation that the signal cut short says so by throwing; that is no failure.
      if (!(stop.signal.aborted && (error as Error | undefined)?.name === 'AbortError'))
        throw error;
    } finally {
      if (stop.signal.aborted) logger.info('work ended');
      for (const { what, close } of open) {
        doing = `closing ${what}`;
        // What is durable is so without a clean close; the others are still to be closed.
        await Promise.resolve()
          .then(close)
          .then(
            () => logger.info('closed', { what }),
            (error: unknown) => logger.error('not closed properly', { what, error }),
          );
      }
      doing = 'nothing';
    }
  };

  const untilEnded = async (): Promise<void> => {
    const steady = async (onProgress: () => void): Promise<void> => {
      const began = performance.now();
      try {
        await attempt();
      } finally {
        if (performance.now() - began > STEADY_MS) onProgress();
      }
    };
    const onRetry = (error: unknown, retryInMs: number): void => {
      logger.error('work failed; it is tried again', { error, retryInMs });
      lacking = { what: 'work', detail: `it failed and is tried again: ${messageOf(error)}` };
      options.onRetry?.();
    };
    const isFinal = (error: unknown): boolean =>
      retryOf(error, 'later') === 'never' || stop.signal.aborted;
    try {
      await retrying(steady, { isFinal, onRetry, backOff: options.backOff }, stop.signal);
    } catch (error) {
      failure = messageOf(error);
      throw error;
    }
  };

  return {
    start: () => (working ??= untilEnded()),
    async end() {
      lacking = { what: 'work', detail: 'it was asked to end' };
      stop.abort();
      await working;
    },
    missing: () => (lacking ? [lacking] : []),
    failure: () => failure,
    doing: () => doing,
  };
}

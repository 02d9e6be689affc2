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

/** An attempt that lasted so long was a success: the next failure begins a new series. */
const STEADY_MS = 60_000;

interface Open {
  readonly what: string;
  readonly close: () => void | Promise<void>;
}

/** The work of a service, from its start until everything it opened is closed again. */
export class Work {
  readonly #service: Pick<ServiceRuntime, 'work'>;
  readonly #options: WorkOptions;
  readonly #stop = new AbortController();
  #doing = 'starting';
  #lacking: Lack | undefined = { what: 'work', detail: 'it has not begun' };
  #failure: string | undefined;
  #working: Promise<void> | undefined;

  constructor(service: Pick<ServiceRuntime, 'work'>, options: WorkOptions) {
    this.#service = service;
    this.#options = options;
  }

  /**
   * Works, again after every failure that may pass. Settles when `end` was called or nothing is
   * left to do.
   * @throws what trying again cannot mend.
   */
  start(): Promise<void> {
    return (this.#working ??= this.#untilEnded());
  }

  /**
   * Ends it in order: no more is taken, what is in hand is finished, what was opened is closed.
   * @throws what finishing failed with.
   */
  async end(): Promise<void> {
    this.#lacking = { what: 'work', detail: 'it was asked to end' };
    this.#stop.abort();
    await this.#working;
  }

  /** Why it is not at work, if so. */
  missing(): readonly Lack[] {
    return this.#lacking ? [this.#lacking] : [];
  }

  /** What it ended with, once it failed for good. */
  failure(): string | undefined {
    return this.#failure;
  }

  /** What it is busy with, for saying what hung. */
  doing(): string {
    return this.#doing;
  }

  async #untilEnded(): Promise<void> {
    const { logger, backOff } = this.#options;
    const steady = async (onProgress: () => void): Promise<void> => {
      const began = performance.now();
      try {
        await this.#attempt();
      } finally {
        if (performance.now() - began > STEADY_MS) onProgress();
      }
    };
    const onRetry = (error: unknown, retryInMs: number): void => {
      logger.error('work failed; it is tried again', { error, retryInMs });
      this.#lacking = { what: 'work', detail: `it failed and is tried again: ${messageOf(error)}` };
      this.#options.onRetry?.();
    };
    const isFinal = (error: unknown): boolean =>
      retryOf(error, 'later') === 'never' || this.#stop.signal.aborted;
    try {
      await retrying(steady, { isFinal, onRetry, backOff }, this.#stop.signal);
    } catch (error) {
      this.#failure = messageOf(error);
      throw error;
    }
  }

  /** One attempt, and whatever it opened closed again, the last opened first. */
  async #attempt(): Promise<void> {
    const { signal } = this.#stop;
    const open: Open[] = [];
    this.#doing = 'work';
    this.#lacking = undefined;
    try {
      await this.#service.work(signal, (what, close) => open.unshift({ what, close }));
    } catch (error) {
      // An operation that the signal cut short says so by throwing; that is no failure.
      if (!(signal.aborted && (error as Error | undefined)?.name === 'AbortError')) throw error;
    } finally {
      if (signal.aborted) this.#options.logger.info('work ended');
      await this.#closeAll(open);
      this.#doing = 'nothing';
    }
  }

  async #closeAll(open: readonly Open[]): Promise<void> {
    const { logger } = this.#options;
    for (const { what, close } of open) {
      this.#doing = `closing ${what}`;
      // What is durable is so without a clean close; the others are still to be closed.
      await Promise.resolve()
        .then(close)
        .then(
          () => logger.info('closed', { what }),
          (error: unknown) => logger.error('not closed properly', { what, error }),
        );
    }
  }
}

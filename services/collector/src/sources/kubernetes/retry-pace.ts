import { between } from '@ovn-steward/shared/jitter';
import { retryDelay, type Timing } from './timing';

/**
 * After a CustomResourceDefinition moved, this many tries come at back-off pace: serving follows it
 * by seconds.
 */
const TRIES_AFTER_WAKE = 6;

/** How long to wait before the next try. Milliseconds. */
export class RetryPace {
  #attempt = 0;
  #triesAfterWake = 0;

  constructor(private readonly timing: Pick<Timing, 'backoff' | 'slowRetry' | 'stableAfter'>) {}

  /** Something changed that may let the kind be served. */
  wake(): void {
    this.#triesAfterWake = TRIES_AFTER_WAKE;
  }

  /** The kind is served. */
  calm(): void {
    this.#triesAfterWake = 0;
  }

  /** Whether what began then and ends now lasted long enough to start the back-off over. */
  lived(began: number): boolean {
    const lived = Date.now() - began >= this.timing.stableAfter;
    if (lived) this.#attempt = 0;
    return lived;
  }

  backOff(): number {
    const wait = retryDelay(this.timing.backoff, this.#attempt);
    this.#attempt += 1;
    return wait;
  }

  /** For what only a person can change. */
  slowly(): number {
    return this.timing.slowRetry * between(0.5, 1);
  }

  /** After the kind was not served. */
  afterUnserved(): number {
    this.#triesAfterWake -= 1;
    return this.#triesAfterWake >= 0 ? this.backOff() : this.slowly();
  }
}

import { Failure } from '@ovn-steward/shared/errors';
import { kubernetesStream, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { pause } from '@ovn-steward/shared/pause';
import type { Observation, UnavailableReason } from '../../source-kit/source';
import { SilentFailure, waitAtLeast } from '@ovn-steward/systems/kubernetes/kube-failure';
import { Unavailability } from '../../source-kit/unavailability';
import { unavailableReason } from './unavailable-reason';
import { unchangedAt } from './checking';
import { createObserver, type Observer } from './observing';
import { isEarlierRevision, Seen } from './seen';
import { RetryPace } from './retry-pace';
import { ServedKind, type ServedKindOptions } from './served-kind';
import { between } from '@ovn-steward/shared/jitter';
import type { WatchBatch, WatchEvent } from '@ovn-steward/systems/kubernetes/watch-events';

export interface ReflectorOptions extends ServedKindOptions {
  /** Called on every interruption with one sentence, once while it repeats; for the log. */
  readonly report: (stream: string, message: string) => void;
}

/** Yields batches, returns how long to wait before going on, in ms. */
type Step = AsyncGenerator<readonly Observation[], number>;

/**
 * After so many watches in a row that opened and broke before saying anything, we request a list:
 * an open connection that says nothing proves nothing. (One that cannot be opened loses no
 * position: an API server's restart must not cost a list of everything.)
 */
const WATCHES_BEFORE_LIST = 3;

/**
 * One kind, listed and then followed for ever.
 *
 *   LISTING ── complete ──► WATCHING ── closed, reset ──► WATCHING from the cursor
 *      ▲ │ └─ silent for long ──► CHECKING ── no change ──► WATCHING, else ──► LISTING └─ 410, torn
 *      line, disorder, third watch in a row that broke at once, full read due
 *
 * A list that fails is abandoned and begins again with `begin`; only `complete` makes its gaps mean
 * something. While the stream is published as unavailable the tries go on, and what ends that is
 * always a complete list.
 *
 * Silence is not progress: a kind in which nothing happens and a connection that drops everything
 * are both silent. A check distinguishes them; one that shows nothing new costs the log a heartbeat
 * and no epoch.
 */
export class Reflector {
  readonly #stream: string;
  readonly #kinds: readonly string[];
  readonly #seen = new Seen();
  readonly #observer: Observer;
  readonly #pace: RetryPace;
  readonly #served: ServedKind;
  /** The position to follow from; undefined while the kind must be listed. */
  #cursor: string | undefined;
  readonly #unavailability = new Unavailability(Date.now);
  #everComplete = false;
  /** When the stream was last known to be whole; ms. */
  #wholeAt = Date.now();
  #relistAt = Infinity;
  /** When a watch last said something, or a full read was whole; ms. */
  #receivedAt = 0;
  /** When the kind was last read in full, or that was tried in a check; ms. */
  #readAt = 0;
  /** The last watch was open and nothing was heard for long. */
  #silent = false;
  /** Watches in a row that opened and broke before they said anything. */
  #silentWatches = 0;
  #reported = '';
  #sleep = new AbortController();

  constructor(
    private readonly kind: KubernetesKind,
    private readonly options: ReflectorOptions,
  ) {
    this.#stream = kubernetesStream(kind.kind);
    this.#kinds = [kind.kind];
    this.#served = new ServedKind(kind, options);
    this.#observer = createObserver(kind, this.#seen);
    this.#pace = new RetryPace(options.timing);
  }

  /** Something changed that may let the kind be served: try again soon. */
  wake(): void {
    this.#pace.wake();
    this.#sleep.abort();
  }

  /** Ends when the signal fires. Throws only what is a bug. */
  async *run(signal: AbortSignal): AsyncGenerator<readonly Observation[]> {
    while (!signal.aborted) {
      const began = Date.now();
      if (began >= this.#relistAt) this.#cursor = undefined;
      let wait: number;
      try {
        wait = yield* this.#step(began, signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      if (wait > 0 && !signal.aborted) await pause(wait, signal, this.#sleep.signal);
      if (this.#sleep.signal.aborted) this.#sleep = new AbortController();
    }
  }

  async *#step(began: number, signal: AbortSignal): Step {
    try {
      return yield* this.#next(signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error;
      return yield* this.#recover(error, began, signal);
    }
  }

  #next(signal: AbortSignal): Step {
    if (this.#cursor === undefined) return this.#list(signal);
    const due =
      this.#silent &&
      !this.#unavailability.isPublished &&
      Date.now() - this.#readAt >= this.options.timing.checkPerObject * this.#seen.size;
    return due ? this.#check(this.#cursor, signal) : this.#watch(this.#cursor, signal);
  }

  async *#list(signal: AbortSignal): Step {
    const began = Date.now();
    const at = { stream: this.#stream, kinds: this.#kinds };
    this.#seen.clear();
    let begun = false;
    for await (const page of this.#served.pages(signal)) {
      const objects = this.#observer.page(page);
      if (page.last) this.#completed(page.resourceVersion);
      yield [
        ...(begun ? [] : [{ type: 'begin', ...at } as const]),
        ...objects,
        ...(page.last
          ? [
              { type: 'complete', ...at, cursor: page.resourceVersion } as const,
              this.#progress(page.resourceVersion, began),
            ]
          : []),
      ];
      begun = true;
    }
    return 0;
  }

  async *#check(from: string, signal: AbortSignal): Step {
    const began = Date.now();
    this.#silent = false; // a check that fails is tried again after the next silence
    try {
      const resourceVersion = await unchangedAt(this.#served.pages(signal), this.#seen, from);
      if (resourceVersion !== undefined) {
        this.#holdsAt(resourceVersion);
        yield [this.#progress(resourceVersion, began)];
      } else {
        this.#cursor = undefined;
      }
      return 0;
    } finally {
      this.#readAt = Date.now();
    }
  }

  #progress(cursor: string, through: number): Observation {
    return {
      type: 'progress',
      stream: this.#stream,
      cursor,
      through: new Date(through).toISOString(),
    };
  }

  /** A full read confirms what was published. */
  #holdsAt(resourceVersion: string): void {
    this.#seen.listedAt(resourceVersion);
    this.#cursor = resourceVersion;
    this.#silentWatches = 0;
    this.#pace.calm();
    this.#reported = '';
    this.#silent = false;
    this.#wholeAt = this.#receivedAt = this.#readAt = Date.now();
  }

  #completed(resourceVersion: string): void {
    this.#holdsAt(resourceVersion);
    this.#unavailability.end();
    this.#everComplete = true;
    // Spread over a tenth, so that the kinds do not come due together.
    this.#relistAt = this.#wholeAt + this.options.timing.relist * between(0.9, 1);
  }

  async *#watch(from: string, signal: AbortSignal): Step {
    const { timing } = this.options;
    const began = Date.now();
    const watch = await this.#served.watch(from, signal);
    if (this.#unavailability.isPublished) {
      watch.close(); // readable again, but only a complete list ends an unavailability
      this.#cursor = undefined;
      return 0;
    }
    this.#silentWatches += 1;
    let said = false;
    let inTime = false;
    try {
      for await (const batch of watch.batches) {
        said ||= batch.events.length > 0;
        // Ended at the time that our request set, it had nothing more to say; ended earlier, it may
        // have had.
        inTime = batch.events.length === 0 && batch.caughtUpAt - began >= watch.seconds * 1000;
        if (said || !inTime) yield* this.#received(batch, inTime);
      }
    } catch (error) {
      if (!(error instanceof SilentFailure) || !this.#pace.lived(began)) throw error;
      this.#silentWatches = 0; // it was open all the while
    } finally {
      if (this.#pace.lived(began)) this.#silent = Date.now() - this.#receivedAt >= timing.silence;
    }
    // A line that swallows everything can keep the hours, too: not a word, and only a full read
    // shows that there was none.
    if (inTime && !said) {
      this.#silent = true;
      this.#silentWatches = 0;
    }
    return this.#pace.lived(began) || inTime ? 0 : this.#pace.backOff();
  }

  *#received(batch: WatchBatch, inTime: boolean): Generator<readonly Observation[]> {
    const observations = this.#observer.batch(batch);
    for (const event of batch.events) this.#advance(event);
    this.#wholeAt = Date.now();
    this.#silentWatches = 0;
    this.#reported = '';
    if (inTime || batch.events.length > 0) this.#receivedAt = Date.now();
    if (inTime && this.#cursor !== undefined)
      observations.push(this.#progress(this.#cursor, batch.caughtUpAt));
    if (observations.length > 0) yield observations;
  }

  /** Forward only: a repeated old event must not make the next watch repeat more. */
  #advance(event: WatchEvent): void {
    const position =
      event.type === 'BOOKMARK'
        ? event.resourceVersion
        : (event.object as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    if (this.#cursor === undefined || !isEarlierRevision(position, this.#cursor))
      this.#cursor = position;
  }

  async *#recover(error: Failure, began: number, signal: AbortSignal): Step {
    this.#pace.lived(began);
    const failure =
      error.code === 'source-not-served' ? await this.#served.findAnotherPath(signal) : error;
    if (failure === undefined) this.#cursor = undefined;
    if (signal.aborted || failure === undefined) return 0;
    if (failure.message !== this.#reported) this.options.report(this.#stream, failure.message);
    this.#reported = failure.message;
    const reason = unavailableReason(failure) ?? this.#unreachable(failure);
    if (reason && this.#unavailability.isNews(reason, failure.message))
      yield [
        {
          type: 'unavailable',
          stream: this.#stream,
          kinds: this.#kinds,
          reason,
          detail: failure.message,
        },
      ];
    return waitAtLeast(this.#waitAfter(failure), failure);
  }

  /** An interruption that is short enough is not published. */
  #unreachable({ code }: Failure): UnavailableReason | undefined {
    const atFirst = !this.#everComplete && code !== 'source-expired';
    return atFirst || Date.now() - this.#wholeAt >= this.options.timing.unreachableAfter
      ? 'unreachable'
      : undefined;
  }

  #waitAfter(failure: Failure): number {
    switch (failure.code) {
      case 'source-refused':
      case 'source-forbidden':
        return this.#pace.slowly();
      case 'source-not-served':
        return this.#pace.afterUnserved();
      case 'source-broken':
      case 'object-malformed':
        this.#cursor = undefined;
        return this.#pace.slowly();
      case 'source-expired':
        this.#cursor = undefined;
        return this.#pace.backOff();
      default:
        if (this.#silentWatches >= WATCHES_BEFORE_LIST) this.#cursor = undefined;
        return this.#pace.backOff();
    }
  }
}

import type { Change } from '@ovn-steward/contracts/changes/change';
import { isAfter } from '@ovn-steward/contracts/changes/is-after';
import { SetDigest } from '@ovn-steward/contracts/identity/ids';
import type { Gap } from './gaps';
import { find, gapsDetail, omittedGap, unreadGap, withGap, withoutGap } from './gaps';
import type { Unreadable } from './world-input';

/** Whether absence in a kind is knowledge: it is only once the kind was listed completely. */
export type Completeness =
  | { readonly state: 'complete' }
  | { readonly state: 'listing' }
  | { readonly state: 'unavailable'; readonly reason: string; readonly detail: string };

const LISTING: Completeness = { state: 'listing' };
const COMPLETE: Completeness = { state: 'complete' };

/** What is remembered of a stream between two runs. */
export interface StreamState {
  stream: string;
  source: Change['source'];
  epoch: number;
  seq: number;
  cursor: string;
  /**
   * Everything the source knew up to here has been published: its own time, which for a recording
   * is long past. Empty until the source reported one.
   */
  observedThrough: string;
  /**
   * When it was last caught up with in one step: its full read ended, or it reported after it had
   * hung. What it was before that, after its former news, is not known. Undefined until then.
   */
  caughtUpAt?: string;
  kinds: string[];
  completeness: Completeness;
  /** Within a full read: what is reported gone may have gone at any time since the last news. */
  isReading?: true;
  /** While there are any, the stream is broken whatever it says of itself. */
  holes?: readonly Gap[];
  /** What it says of itself, while it has gaps. */
  said?: Completeness;
}

/**
 * A change after so long without any sign of the stream: it may have hung, since an API server
 * sends a bookmark each minute. Milliseconds.
 */
const HUNG_MS = 90_000;

/** The gaps that news of a full read leave. */
const OF_A_READ: ReadonlySet<string> = new Set(['_snapshot-begin', '_snapshot-end']);

type OfThing = Extract<Change, { uid: string }>;

/**
 * What a gap, and the change that fills it, are about: a thing, or one sort of news of the stream
 * itself (as in `changeKey`).
 */
const aboutOf = (change: Change): { kind: string; uid: string } =>
  'uid' in change ? change : { kind: `_${change.type}`, uid: change.stream };

/** One stream as the fold sees it: its position, completeness, watermark and running digest. */
export class FoldedStream {
  readonly digest = new SetDigest();

  constructor(readonly state: StreamState) {}

  static start(change: Pick<Change, 'stream' | 'source'>): FoldedStream {
    return new FoldedStream({
      stream: change.stream,
      source: change.source,
      epoch: 0,
      seq: 0,
      cursor: '',
      observedThrough: '',
      kinds: [],
      completeness: LISTING,
    });
  }

  /**
   * Moves to the change's position. False for what is not newer: a repeat, or a word from a
   * collector that was replaced.
   */
  advance(change: Change): boolean {
    const { state } = this;
    if (!isAfter(change, state)) return false;
    state.epoch = change.epoch;
    state.seq = change.seq;
    state.cursor = change.cursor;
    return true;
  }

  /**
   * Whether the change, though not newer than the stream, fills a gap that is known. Results of an
   * earlier full read do not count once another began.
   */
  fillsGap(change: Change): boolean {
    const gap = this.#gapOf(aboutOf(change));
    // What is missing, or something later.
    if (gap === undefined || !isAfter(change, gap)) return false;
    return 'uid' in change || change.epoch >= this.state.epoch;
  }

  /** What the collector counts a thing with, where it is another content than the one we hold. */
  countedHash(thing: { kind: string; uid: string }): string | undefined {
    return this.#gapOf(thing)?.hash;
  }

  /** What the collector counts of things whose content we do not hold. */
  countedHashes(): readonly string[] {
    return (this.state.holes ?? []).flatMap(({ hash }) => hash ?? []);
  }

  /** Something was said of a thing that could not be read. */
  miss(unreadable: Unreadable): void {
    this.#setGaps(
      withGap(
        this.state.holes ?? [],
        unreadGap(unreadable, this.state, this.countedHash(unreadable)),
      ),
    );
  }

  /** A row or object exists, and its content is not published. */
  omit(change: Extract<Change, { type: 'omitted' }>): void {
    this.#setGaps(withGap(this.state.holes ?? [], omittedGap(change)));
  }

  /** The row or object, or that sort of news, was published and read. */
  fill(change: Change): void {
    const gap = this.#gapOf(aboutOf(change));
    if (gap) this.#setGaps(withoutGap(this.state.holes ?? [], gap));
  }

  /**
   * The stream's own news. `checked` is false while an old log is read again, where counts cannot
   * be expected to agree.
   */
  fold(change: Exclude<Change, OfThing>, checked: boolean): void {
    const { state } = this;
    this.fill(change);
    switch (change.type) {
      case 'snapshot-begin':
        state.isReading = true;
        return;
      case 'snapshot-end': {
        delete state.isReading;
        state.kinds = [...change.kinds];
        state.caughtUpAt = change.observedAt;
        const agrees = this.#agrees(change);
        // Where everything adds up the world holds all there is, except contents that are counted
        // and not published.
        if (agrees && state.holes) this.#setGaps(state.holes.filter((it) => it.hash !== undefined));
        this.#setCompleteness(agrees || !checked ? COMPLETE : this.#disagreement(change));
        return;
      }
      case 'unavailable':
        delete state.isReading;
        state.kinds = [...change.kinds];
        // Whatever a full read said before, this was said after it.
        if (state.holes) this.#setGaps(state.holes.filter(({ kind }) => !OF_A_READ.has(kind)));
        this.#setCompleteness({
          state: 'unavailable',
          reason: change.reason,
          detail: change.detail,
        });
        return;
      case 'heartbeat':
        this.#moveTo(change.observedThrough);
    }
  }

  /**
   * A change published while following moves the watermark; one in the middle of a full read does
   * not.
   */
  observed(observedAt: string): void {
    const { state } = this;
    if (state.isReading || state.completeness.state !== 'complete') return;
    if (observedAt === state.observedThrough) return; // as all of a batch are but the first
    const isLate = Date.parse(observedAt) - Date.parse(state.observedThrough) > HUNG_MS;
    if (isLate) state.caughtUpAt = observedAt;
    this.#moveTo(observedAt);
  }

  #gapOf(thing: { kind: string; uid: string }): Gap | undefined {
    return this.state.holes && find(this.state.holes, thing);
  }

  #setCompleteness(completeness: Completeness): void {
    if (this.state.holes) this.state.said = completeness;
    else this.state.completeness = completeness;
  }

  #setGaps(gaps: readonly Gap[]): void {
    const { state } = this;
    const said = state.said ?? state.completeness;
    if (gaps.length > 0) {
      Object.assign(state, {
        holes: gaps,
        said,
        completeness: {
          state: 'unavailable',
          reason: 'broken',
          detail: gapsDetail(state.stream, gaps),
        },
      });
      return;
    }
    delete state.holes;
    delete state.said;
    state.completeness = said;
  }

  #moveTo(time: string): void {
    if (time > this.state.observedThrough) this.state.observedThrough = time;
  }

  #agrees(end: { count: number; digest: string }): boolean {
    return end.count === this.digest.count && end.digest === this.digest.toString();
  }

  #disagreement(end: { count: number }): Completeness {
    return {
      state: 'unavailable',
      reason: 'broken',
      detail: `${this.state.stream}: the collector counted ${end.count} objects, ${this.digest.count} arrived or their contents differ; a new full read is needed`,
    };
  }
}

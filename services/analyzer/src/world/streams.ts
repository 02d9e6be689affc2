import type { Change } from '@ovn-steward/shared/events/change';
import { SetDigest } from '@ovn-steward/shared/ids';

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
  /** Everything the source knew up to here has been told: its own time, which for a recording is long past. Empty until it said so. */
  observedThrough: string;
  kinds: string[];
  completeness: Completeness;
}

/** One stream as the fold sees it: its position, completeness, watermark and running digest. */
export class Stream {
  readonly digest = new SetDigest();
  #reading = false;

  constructor(readonly state: StreamState) {}

  static start(change: Pick<Change, 'stream' | 'source'>): Stream {
    return new Stream({
      stream: change.stream, source: change.source, epoch: 0, seq: 0, cursor: '', observedThrough: '', kinds: [], completeness: LISTING,
    });
  }

  /** Moves to the change's position. False for what is not newer: a repeat, or a word from a collector that was replaced. */
  advance(change: Change): boolean {
    const { state } = this;
    if (change.epoch < state.epoch || (change.epoch === state.epoch && change.seq <= state.seq)) return false;
    state.epoch = change.epoch;
    state.seq = change.seq;
    state.cursor = change.cursor;
    return true;
  }

  /** The stream's own news. `checked` is false while an old log is read again, where counts cannot be expected to agree. */
  hear(change: Exclude<Change, { type: 'put' | 'delete' }>, checked: boolean): void {
    const { state } = this;
    switch (change.type) {
      case 'snapshot-begin':
        this.#reading = true;
        return;
      case 'snapshot-end': {
        this.#reading = false;
        state.kinds = [...change.kinds];
        state.completeness = this.#agrees(change) || !checked ? COMPLETE : this.#disagreement(change);
        return;
      }
      case 'unavailable':
        this.#reading = false;
        state.kinds = [...change.kinds];
        state.completeness = { state: 'unavailable', reason: change.reason, detail: change.detail };
        return;
      case 'heartbeat':
        this.#moveTo(change.observedThrough);
    }
  }

  /** A change told while following moves the watermark; one told in the middle of a full read does not. */
  told(observedAt: string): void {
    if (!this.#reading && this.state.completeness.state === 'complete') this.#moveTo(observedAt);
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

import { lastEpoch } from '@ovn-steward/contracts/changes/change-bounds';
import { Failure } from '@ovn-steward/shared/errors';
import { isAfter, type StreamPosition } from '@ovn-steward/contracts/changes/is-after';
import type { Mirror, MirroredStream } from '../mirror/mirror';

/** What this collector published, by the positions in its streams. */
export class OurPositions {
  readonly #epochs = new Map<string, Set<number>>();
  /**
   * The last that we published of each stream: nothing beyond it is ours, whatever epoch it names.
   */
  readonly #published = new Map<string, StreamPosition>();

  opened(stream: string, epoch: number): void {
    const known = this.#epochs.get(stream);
    if (known) known.add(epoch);
    else this.#epochs.set(stream, new Set([epoch]));
  }

  published(stream: string, place: StreamPosition): void {
    if (isAfter(place, this.#published.get(stream))) this.#published.set(stream, place);
  }

  includes(state: MirroredStream): boolean {
    const { stream, epoch } = state;
    return (
      this.#epochs.get(stream)?.has(epoch) === true && !isAfter(state, this.#published.get(stream))
    );
  }
}

interface OwnMirrorOptions {
  readonly mirror: Mirror;
  /** As changes are dated, ms since the epoch. */
  readonly now: () => number;
}

/**
 * The mirror, which decides what is published. `openEpoch` throws Failure `log-unavailable` for
 * an epoch that readers do not believe yet: another collector published the last that they do, and
 * what we published now would be lost on them.
 */
export const ownMirror = ({ mirror, now }: OwnMirrorOptions, ours: OurPositions): Mirror => ({
  ...mirror,
  openEpoch(stream, owner, kinds, atLeast) {
    const epoch = mirror.openEpoch(stream, owner, kinds, atLeast);
    if (epoch > lastEpoch(now())) throw tooEarly(stream, epoch);
    ours.opened(stream, epoch);
    return epoch;
  },
  commit(stream, writes, place) {
    if (place) ours.published(stream, place);
    mirror.commit(stream, writes, place);
  },
});

const tooEarly = (stream: string, epoch: number): Failure =>
  new Failure(
    'log-unavailable',
    `The next epoch of ${stream} is ${epoch}, which readers do not believe yet: the Lease changed hands too often, or somebody else wrote to the log. It is tried again, and believed within two hours.`,
  );

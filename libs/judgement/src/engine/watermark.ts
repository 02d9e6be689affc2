import type { StreamState } from '../world/streams';
import type { World } from '../world/world';

/**
 * Up to when every source that was read has reported all it knows: the oldest watermark of these
 * kinds, empty while one has none. A kind that is not installed is as fresh as the list of
 * definitions that shows it.
 */
export function watermarkOf(kinds: Iterable<string>, world: World): string {
  let oldest: string | undefined;
  for (const kind of kinds) {
    const through = streamOf(kind, world)?.observedThrough ?? '';
    if (oldest === undefined || through < oldest) oldest = through;
  }
  return oldest ?? '';
}

/**
 * When the last of these kinds was caught up with in one step; empty where none was. Such a step may
 * bring what is younger than all that another stream has reported yet, and pass over what was in
 * between: only at a watermark of that time or later was everything so at once. Recordings are each
 * of one moment.
 */
export function lastCatchUpOf(kinds: Iterable<string>, world: World): string {
  if (world.recorded) return '';
  let last = '';
  for (const kind of kinds) {
    const caughtUpAt = streamOf(kind, world)?.caughtUpAt ?? '';
    if (caughtUpAt > last) last = caughtUpAt;
  }
  return last;
}

const streamOf = (kind: string, world: World): StreamState | undefined =>
  world.streamOf(world.notInstalled(kind) ? 'CustomResourceDefinition' : kind);

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
 * When the last of these kinds was read in full; empty where none was. What such a read found may
 * be younger than what another stream has reported yet, and what was in between is not known: only
 * from a watermark after it on was everything so at one time. Recordings are each of one moment.
 */
export function lastReadOf(kinds: Iterable<string>, world: World): string {
  if (world.recorded) return '';
  let last = '';
  for (const kind of kinds) {
    const readAt = streamOf(kind, world)?.readAt ?? '';
    if (readAt > last) last = readAt;
  }
  return last;
}

const streamOf = (kind: string, world: World): StreamState | undefined =>
  world.streamOf(world.notInstalled(kind) ? 'CustomResourceDefinition' : kind);

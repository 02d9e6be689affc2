import type { World } from '../world/world';

/**
 * Up to when every source that was read has reported all it knows: the oldest watermark of these
 * kinds, empty while one has none. A kind that is not installed is as fresh as the list of
 * definitions that shows it.
 */
export function watermarkOf(kinds: Iterable<string>, world: World): string {
  let oldest: string | undefined;
  for (const kind of kinds) {
    const through =
      world.streamOf(world.notInstalled(kind) ? 'CustomResourceDefinition' : kind)
        ?.observedThrough ?? '';
    if (oldest === undefined || through < oldest) oldest = through;
  }
  return oldest ?? '';
}

import type { StreamState } from '../world/streams';
import type { World } from '../world/world';
import type { Knowledge } from './suspicions';

/**
 * How much of these kinds is known: up to when all have reported all they know (the oldest
 * watermark, empty while one has none), and when the last of them was caught up with in one step.
 * Such a step may bring what is younger than all that another stream has reported yet, and pass
 * over what was in between: only at a watermark of that time or later was everything so at once.
 * Recordings are each of one moment. A kind that is not installed is as fresh as the list of
 * definitions that shows it.
 */
export function knowledgeOfKinds(kinds: Iterable<string>, world: World): Knowledge {
  let watermark: string | undefined;
  let lastCatchUp = '';
  for (const kind of kinds) {
    const { observedThrough = '', caughtUpAt = '' } = streamOf(kind, world) ?? {};
    if (watermark === undefined || observedThrough < watermark) watermark = observedThrough;
    if (caughtUpAt > lastCatchUp) lastCatchUp = caughtUpAt;
  }
  return { watermark: watermark ?? '', lastCatchUp: world.recorded ? '' : lastCatchUp };
}

const streamOf = (kind: string, world: World): StreamState | undefined =>
  world.streamOf(world.notInstalled(kind) ? 'CustomResourceDefinition' : kind);

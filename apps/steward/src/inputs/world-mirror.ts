import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Mirror } from '@ovn-steward/collector';

/**
 * The engine's world as the collector's memory of what it published, where every change is folded
 * as soon as it is published: then the world is that memory, and nothing need be held twice. For
 * one-shot runs; what it recorded ends with the process.
 */
export function worldMirror(world: Engine['world']): Mirror {
  const streams = new Map<string, { epoch: number; owner: string; kinds: readonly string[] }>();
  return {
    openEpoch(stream, { id }, kinds, atLeast) {
      const epoch = Math.max((streams.get(stream)?.epoch ?? 0) + 1, atLeast);
      streams.set(stream, { epoch, owner: id, kinds });
      return epoch;
    },
    streamsOf: ({ id }) =>
      [...streams]
        .filter(([, it]) => it.owner === id)
        .map(([stream, { kinds }]) => ({ stream, kinds })),
    get(stream, kind, uid) {
      const entity = world.entity(kind, uid);
      return entity?.stream === stream ? entity : undefined;
    },
    *keys(stream) {
      for (const kind of world.kinds()) {
        for (const entity of world.entities(kind)) {
          if (entity.stream !== stream) break; // a kind has one stream
          yield [kind, entity.uid];
        }
      }
    },
    commit: () => {},
    close: () => {},
  };
}

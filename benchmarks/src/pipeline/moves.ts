import type { Observation } from '@ovn-steward/collector';

/** A port, a pod or an IP object as a source saw it. */
export type Movable = Extract<Observation, { type: 'object' }>;

const KINDS: ReadonlySet<string> = new Set(['Logical_Switch_Port', 'Pod', 'IP']);

export const isMovable = (it: Observation): it is Movable =>
  it.type === 'object' && KINDS.has(it.kind);

/** A port goes up and down; a pod, and an IP object, is seen on another node. */
export function* movesOf(things: readonly Movable[], count: number): Generator<Movable> {
  for (let made = 0; made < count; made += 1) {
    const thing = things[made % things.length]!;
    const odd = Math.floor(made / things.length) % 2 === 0;
    const spec = thing.object['spec'] as Record<string, unknown> | undefined;
    yield {
      ...thing,
      object: spec
        ? { ...thing.object, spec: { ...spec, nodeName: odd ? 'elsewhere' : spec['nodeName'] } }
        : { ...thing.object, up: (thing.object['up'] === true) !== odd },
    };
  }
}

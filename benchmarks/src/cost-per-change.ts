import { ALL, meanCosts } from './costs';
import { loadWorld } from './load-world';
import { podLives } from './pod-life';
import { inTurns } from './rounds';
import type { WrittenWorld } from './world/write-world';

const SAMPLES = 200;

const note = (text: string): void => void process.stderr.write(`${text}\n`);
const micros = (seconds: number): string => `${(seconds * 1e6).toFixed(0)} µs`;

/**
 * The mean seconds of one change to a pod, its port or its IP object in a world, and their ratio to
 * the same in a small one. The engine alone, in this process; the worlds take turns.
 */
export async function costPerChange(
  world: WrittenWorld,
  small: WrittenWorld,
): Promise<{ readonly seconds: number; readonly ratio: number }> {
  const engines = [await loadWorld(small), await loadWorld(world)];
  const [before, after] = inTurns(
    engines.map((engine) => () => meanCosts(engine, podLives(engine, SAMPLES))),
  );
  const kinds = [...after!.keys()]
    .filter((it) => it !== ALL)
    .sort((one, other) => after!.get(other)! - after!.get(one)!);
  for (const kind of kinds)
    note(
      `${kind}: ${micros(after!.get(kind)!)}, with ${small.ports} ports ${micros(before!.get(kind)!)}`,
    );
  note(`worst kind of change: ${kinds[0]}, ${micros(after!.get(kinds[0]!)!)}`);
  return { seconds: after!.get(ALL)!, ratio: after!.get(ALL)! / before!.get(ALL)! };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL, meanCosts } from './costs';
import { loadWorld } from './load-world';
import { podLives } from './pod-life';
import { inTurns } from './rounds';
import { sharedLife } from './shared-life';
import type { WorldSize } from './world/plan';
import { writeWorld } from './world/write-world';

const SAMPLES = 200;
const SHARED_SAMPLES = 10;

/**
 * Everybody in one place: a switch with more than 60,000 ports, as many addresses in its subnet,
 * 50,000 of them in one group.
 */
const crowd = (ports: number): WorldSize => ({
  ports,
  portsPerSubnet: 60_000,
  podsPerNamespace: 50_000,
});

/** Mean seconds of one change, by sort, in a world of this size. */
async function costsIn(size: WorldSize): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  try {
    const engine = await loadWorld(await writeWorld(folder, size));
    const [costs] = inTurns([
      () =>
        new Map([
          ...meanCosts(engine, podLives(engine, SAMPLES)),
          ...meanCosts(engine, sharedLife(engine, SHARED_SAMPLES)),
        ]),
    ]);
    return costs!;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Seconds by sort of change and world: three sizes ten times apart, and one crowd of the largest.
 */
export async function benchChanges({ ports }: { readonly ports: number }): Promise<object> {
  const worlds: [string, WorldSize][] = [
    ...[ports / 100, ports / 10, ports].map((count): [string, WorldSize] => [
      `${Math.max(60, count)} ports`,
      { ports: Math.max(60, Math.round(count)) },
    ]),
    ['crowded', crowd(ports)],
  ];
  const columns: [string, ReadonlyMap<string, number>][] = [];
  for (const [name, size] of worlds) {
    columns.push([name, await costsIn(size)]);
    process.stderr.write(`measured ${name}\n`);
  }
  const kinds = [...columns[0]![1].keys()].filter((it) => it !== ALL);
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Object.fromEntries(
        columns.map(([name, costs]) => [name, Number(costs.get(kind)!.toPrecision(3))]),
      ),
    ]),
  );
}

import { createOvnFileSource, kubernetesRecording } from '@ovn-steward/collector';
import type { Observation, Source } from '@ovn-steward/collector';
import type { WrittenWorld } from '../world/write-world';
import { isMovable, movesOf, type Movable } from './moves';

/**
 * What the sources of a cluster observe, held in memory: reading and parsing it is not what is
 * measured.
 */
export interface History {
  readonly sources: readonly Source[];
  /** Changes of rows and objects after everything was read in full. */
  readonly churn: number;
}

/**
 * As much as kafkajs alone is given at once (`raw.ts`), and less than a living source gathers while
 * a step is on its way.
 */
const BATCH = 500;

/**
 * A full read of the world, then so many changes of ports, pods and IP objects, round after round
 * over all of them.
 */
export async function historyOf(
  world: Pick<WrittenWorld, 'northbound' | 'kubernetes'>,
  churn: number,
): Promise<History> {
  const recorded = [
    createOvnFileSource({ id: 'ovn-nb', path: world.northbound }),
    kubernetesRecording({ path: world.kubernetes, replay: 'final' }),
  ];
  const reads = await Promise.all(recorded.map((it) => batchesOf(it)));
  const movable = reads.map((batches) => batches.flat().filter(isMovable));
  const all = movable.reduce((sum, it) => sum + it.length, 0);
  const shares = movable.map((it) => Math.round((churn * it.length) / all));
  const sources = recorded.map((source, at): Source => ({
    ...source,
    observe: (signal) => observations(reads[at]!, movesOf(movable[at]!, shares[at]!), signal),
  }));
  return { sources, churn: shares.reduce((sum, it) => sum + it, 0) };
}

async function batchesOf(source: Source): Promise<(readonly Observation[])[]> {
  const batches: (readonly Observation[])[] = [];
  for await (const batch of source.observe(new AbortController().signal)) batches.push(batch);
  return batches;
}

async function* observations(
  read: readonly (readonly Observation[])[],
  changes: Iterable<Movable>,
  signal: AbortSignal,
): AsyncGenerator<readonly Observation[]> {
  for (const batch of read) {
    if (signal.aborted) return;
    yield batch;
  }
  let batch: Movable[] = [];
  for (const change of changes) {
    batch.push(change);
    if (batch.length < BATCH) continue;
    if (signal.aborted) return;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

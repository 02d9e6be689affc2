import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { vipsOf, writeKubernetes } from './kubernetes';
import { writeNorthbound } from './northbound';
import { type Planted, planWorld, type WorldSize } from './plan';

/** A world on disk, as a person would have saved it for `steward audit`. */
export interface WrittenWorld {
  readonly northbound: string;
  readonly kubernetes: string;
  readonly ports: number;
  readonly pods: number;
  /** Every finding there should be, and no other. */
  readonly planted: readonly Planted[];
}

/**
 * Makes up a cluster of this size and writes its database and its objects; the same size and seed
 * give the same bytes.
 */
export async function writeWorld(folder: string, size: WorldSize): Promise<WrittenWorld> {
  const plan = planWorld(size);
  const northbound = join(folder, 'nb.db');
  const kubernetes = join(folder, 'kubernetes');
  await mkdir(kubernetes, { recursive: true });
  await writeNorthbound(northbound, plan, vipsOf(plan));
  await writeKubernetes(kubernetes, plan);
  return {
    northbound,
    kubernetes,
    ports: size.ports,
    pods: plan.pods.length,
    planted: plan.planted,
  };
}

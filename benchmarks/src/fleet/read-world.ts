import { createOvnFileSource, kubernetesRecording } from '@ovn-steward/collector';
import { writeWorld } from '../world/write-world';
import type { ReadSource } from './fleet-cluster';

/** What the sources of a world of that many ports see when they read in full. */
export async function readWorld(folder: string, ports: number): Promise<readonly ReadSource[]> {
  const world = await writeWorld(folder, { ports });
  const recorded = [
    createOvnFileSource({ id: 'ovn-nb', path: world.northbound }),
    kubernetesRecording({ path: world.kubernetes, replay: 'final' }),
  ];
  return Promise.all(
    recorded.map(async (source): Promise<ReadSource> => {
      const batches = [];
      for await (const batch of source.observe(new AbortController().signal)) batches.push(batch);
      return { source, batches };
    }),
  );
}

import { join } from 'node:path';
import { readDatabaseFile } from '@ovn-steward/ovsdb';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import {
  type MemoryKubernetes,
  memoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import {
  type MemoryNorthbound,
  memoryNorthbound,
} from '@ovn-steward/systems/testing/memory-northbound';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';

const SCHEMA = join(__dirname, '../../../../examples/recordings/clean/nb.db');

/** What actions on Kubernetes objects act on, and what others do there. */
export interface ActionCluster {
  readonly kubernetes: Kubernetes;
  readonly northbound: MemoryNorthbound;
  /** A client of somebody else, who may do everything. */
  readonly others: Kubernetes;
  /** As somebody else: creates or replaces. */
  put(object: GivenObject): Promise<KubernetesObject>;
  /** A client of whose next write the request or the reply is lost. */
  losing(what: 'lose-request' | 'lose-reply'): Kubernetes;
}

/** An empty Northbound in memory, with the schema of a recording. */
export const emptyNorthbound = async (): Promise<MemoryNorthbound> =>
  memoryNorthbound({ schema: (await readDatabaseFile(SCHEMA)).schema });

/** All of it in memory. */
export async function memoryActionCluster(): Promise<
  ActionCluster & { readonly kubernetes: MemoryKubernetes }
> {
  const kubernetes = memoryKubernetes();
  return {
    kubernetes,
    others: kubernetes.peer(),
    northbound: await emptyNorthbound(),
    put: async (object) => kubernetes.put(object),
    losing: (what) => Object.assign(kubernetes.peer(), { fault: () => what }),
  };
}

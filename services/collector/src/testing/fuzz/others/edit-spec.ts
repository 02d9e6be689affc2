import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { Cluster } from '../cluster';

/** Somebody changes fields of an object's spec. */
export function editSpec(cluster: Cluster, object: KubernetesObject, fields: object): void {
  const spec = { ...(object['spec'] as object), ...fields };
  cluster.put({ ...object, spec } as unknown as GivenObject);
  cluster.diary.push(
    `${String(object.kind)} ${object.metadata.name} edited: ${JSON.stringify(fields)}`,
  );
}

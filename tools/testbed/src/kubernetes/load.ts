import { withSchemas } from './definitions';
import { eachAtMost } from './each';
import type { EtcdServer } from './etcd';
import { isDefinition, type CustomResourceDefinition, type KubernetesObject } from './objects';
import { inStorageOrder, storageKeys, storedValue } from './storage';

/**
 * Writes objects into etcd as they are, past the API: their uid, creationTimestamp,
 * deletionTimestamp, finalizers and status stay what they were, which no API call permits. An
 * object of the same name is replaced. Gives the custom resource definitions among them.
 */
export async function loadIntoEtcd(
  etcd: EtcdServer,
  objects: readonly KubernetesObject[],
): Promise<readonly CustomResourceDefinition[]> {
  const definitions = objects.filter(isDefinition);
  const keyOf = storageKeys(definitions);
  const ordered = inStorageOrder(objects).map((object) => ({
    key: keyOf(object),
    value: storedValue(withSchemas(object)),
    first: isDefinition(object) || object.kind === 'Namespace',
  }));
  for (const stage of [true, false]) {
    await eachAtMost(
      16,
      ordered.filter(({ first }) => first === stage),
      ({ key, value }) => etcd.put(key, value),
    );
  }
  return definitions;
}

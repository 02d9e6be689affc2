import { isDefinition, type CustomResourceDefinition, type KubernetesObject } from './objects';

/** Takes any object as it is, every field kept. */
const ANYTHING = {
  openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/**
 * A custom resource definition fit to be created: recordings leave the schemas out, and a version
 * without one is refused by the API and drops all its objects' fields when read from etcd. Such a
 * version gets a schema that accepts anything.
 */
export function withSchemas<T extends KubernetesObject>(object: T): T {
  if (!isDefinition(object)) return object;
  const definition: CustomResourceDefinition = object;
  const versions = definition.spec.versions.map((version) => ({
    ...version,
    schema: version.schema ?? ANYTHING,
  }));
  return { ...object, spec: { ...definition.spec, versions } };
}

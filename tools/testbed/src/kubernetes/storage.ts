import {
  groupOf,
  isDefinition,
  type CustomResourceDefinition,
  type KubernetesObject,
} from './objects';

/**
 * Where kube-apiserver keeps the built-in kinds in etcd, below its prefix `/registry`
 * (k8s.io/kubernetes, the kinds' storage packages under pkg/registry, and
 * test/integration/etcd/data.go, which lists them all).
 */
const BUILT_IN: Readonly<Record<string, string>> = {
  '/ConfigMap': 'configmaps',
  '/Endpoints': 'services/endpoints',
  '/Namespace': 'namespaces',
  '/Node': 'minions',
  '/Pod': 'pods',
  '/Service': 'services/specs',
  '/ServiceAccount': 'serviceaccounts',
  'apiextensions.k8s.io/CustomResourceDefinition': 'apiextensions.k8s.io/customresourcedefinitions',
  'apps/DaemonSet': 'daemonsets',
  'apps/Deployment': 'deployments',
  'apps/ReplicaSet': 'replicasets',
  'apps/StatefulSet': 'statefulsets',
  'batch/Job': 'jobs',
  'coordination.k8s.io/Lease': 'leases',
  'discovery.k8s.io/EndpointSlice': 'endpointslices',
  'networking.k8s.io/NetworkPolicy': 'networkpolicies',
};

/** Finds the etcd key of an object, given the definitions of the custom kinds among the objects. */
export function storageKeys(
  definitions: readonly CustomResourceDefinition[],
): (object: KubernetesObject) => string {
  const custom = new Map(
    definitions.map(({ spec }) => [
      `${spec.group}/${spec.names.kind}`,
      `${spec.group}/${spec.names.plural}`,
    ]),
  );
  return (object) => {
    const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
    const folder = custom.get(kind) ?? (Object.hasOwn(BUILT_IN, kind) ? BUILT_IN[kind] : undefined);
    if (folder === undefined)
      throw new Error(
        `cannot store ${object.apiVersion} ${object.kind}: neither a known built-in kind nor one defined among the objects`,
      );
    const { namespace, name } = object.metadata;
    return ['/registry', folder, ...(namespace === undefined ? [] : [namespace]), name].join('/');
  };
}

/**
 * An object as it is stored: JSON, which kube-apiserver reads as well as its own protobuf. The
 * resourceVersion is left out, because the server takes it from etcd's revision; everything else,
 * uid and deletionTimestamp too, stays as it was recorded.
 */
export function storedValue(object: KubernetesObject): string {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}

/**
 * The objects in the order they are to be stored: definitions and namespaces before what needs
 * them.
 */
export function inStorageOrder(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const rank = (object: KubernetesObject): number =>
    isDefinition(object) ? 0 : object.kind === 'Namespace' ? 1 : object.kind === 'Node' ? 2 : 3;
  return objects
    .map((object, index) => ({ object, index }))
    .sort((a, b) => rank(a.object) - rank(b.object) || a.index - b.index)
    .map(({ object }) => object);
}

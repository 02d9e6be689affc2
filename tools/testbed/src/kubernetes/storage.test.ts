import type { CustomResourceDefinition, KubernetesObject } from './objects';
import { inStorageOrder, storageKeys, storedValue } from './storage';

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  namespace?: string,
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

const vpcs: CustomResourceDefinition = {
  ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'vpcs.kubeovn.io'),
  spec: {
    group: 'kubeovn.io',
    names: { kind: 'Vpc', plural: 'vpcs' },
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true }],
  },
};

test.each([
  [object('v1', 'Pod', 'cart', 'shop'), '/registry/pods/shop/cart'],
  [object('v1', 'Node', 'worker'), '/registry/minions/worker'],
  [object('v1', 'Service', 'cart', 'shop'), '/registry/services/specs/shop/cart'],
  [object('apps/v1', 'ReplicaSet', 'cart', 'shop'), '/registry/replicasets/shop/cart'],
  [object('kubeovn.io/v1', 'Vpc', 'blue'), '/registry/kubeovn.io/vpcs/blue'],
  [vpcs, '/registry/apiextensions.k8s.io/customresourcedefinitions/vpcs.kubeovn.io'],
])('%j is kept under %s', (given, key) => {
  expect(storageKeys([vpcs])(given)).toBe(key);
});

test.each(['constructor', '__proto__', 'Subnet'])(
  'a kind nobody defined is refused: %s',
  (kind) => {
    expect(() => storageKeys([vpcs])(object('kubeovn.io/v1', kind, 'x'))).toThrow(
      'neither a known built-in kind nor one defined',
    );
  },
);

test('only the resourceVersion is left out of what is stored', () => {
  const metadata = {
    name: 'cart',
    uid: 'u',
    resourceVersion: '7',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['f'],
  };
  const { resourceVersion: _, ...kept } = metadata;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running' } };
  expect(JSON.parse(storedValue(pod))).toEqual({ ...pod, metadata: kept });
});

test('definitions come first, then namespaces and nodes, the rest as it was', () => {
  const pod = object('v1', 'Pod', 'p', 's');
  const node = object('v1', 'Node', 'n');
  const space = object('v1', 'Namespace', 's');
  const vpc = object('kubeovn.io/v1', 'Vpc', 'v');
  expect(inStorageOrder([vpc, pod, node, space, vpcs])).toEqual([vpcs, space, node, vpc, pod]);
});

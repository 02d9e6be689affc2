import { object, pod } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './misplaced-pod';

const SWITCH = 'ovn.kubernetes.io/logical_switch';
const ownedBy = (kind: string, name = 'web') => [
  { kind, name, uid: `${kind}:${name}`, controller: true },
];
const placed = (
  subnet: string,
  owner: unknown[] = ownedBy('StatefulSet'),
  over: Record<string, unknown> = {},
): Built<'Pod'> =>
  pod('shop/web-0', {
    metadata: {
      annotations: { 'ovn.kubernetes.io/allocated': 'true', [SWITCH]: subnet },
      ownerReferences: owner,
    },
    ...over,
  });
const namespace = (subnets: string) =>
  object('Namespace', 'shop', { metadata: { annotations: { [SWITCH]: subnets } } });
const workload = (
  kind: 'StatefulSet' | 'ReplicaSet' | 'DaemonSet',
  annotations: Record<string, string> = {},
) => object(kind, 'shop/web', { spec: { template: { metadata: { annotations } } } });
const apps = object('Subnet', 'apps');
const standard = object('Subnet', 'ovn-default');
const machine = (annotations: Record<string, string>) =>
  object('VirtualMachine', 'shop/web', { spec: { template: { metadata: { annotations } } } });
const says = 'pod shop/web-0 has an address of subnet ovn-default, but its namespace uses apps';

/** In the default subnet, with that pool. */
const inPool = (pool: string, ownerReferences: unknown[]): Built<'Pod'> =>
  placed('ovn-default', ownerReferences, {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        [SWITCH]: 'ovn-default',
        'ovn.kubernetes.io/ip_pool': pool,
      },
      ownerReferences,
    },
  });

/** In the default subnet, with who wrote so. */
const writtenBy = (...managers: string[]): Built<'Pod'> =>
  placed('ovn-default', ownedBy('StatefulSet'), {
    metadata: {
      annotations: { 'ovn.kubernetes.io/allocated': 'true', [SWITCH]: 'ovn-default' },
      ownerReferences: ownedBy('StatefulSet'),
      managedFields: managers.map((manager) => ({
        manager,
        fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${SWITCH}`]: {} } } },
      })),
    },
  });

testRule(rule, {
  healthy: {
    'an admission webhook chose its subnet when it was made': world(
      namespace('apps'),
      apps,
      standard,
      writtenBy('kube-controller-manager'),
      workload('StatefulSet'),
    ),
    'Kube-OVN wrote its subnet together with somebody else': world(
      namespace('apps'),
      apps,
      standard,
      writtenBy('kube-ovn-controller', 'kubectl-annotate'),
      workload('StatefulSet'),
    ),
    "it is in its namespace's subnet": world(
      namespace('apps'),
      apps,
      placed('apps'),
      workload('StatefulSet'),
    ),
    "it is in one of its namespace's subnets": world(
      namespace('other,apps'),
      apps,
      placed('apps'),
      workload('StatefulSet'),
    ),
    'its namespace names the subnet twice': world(
      namespace('apps,apps'),
      apps,
      placed('apps'),
      workload('StatefulSet'),
    ),
    'its subnet lists the namespace, which is not annotated yet': world(
      namespace('apps'),
      object('Subnet', 'web', { spec: { namespaces: ['shop'] } }),
      apps,
      placed('web'),
      workload('StatefulSet'),
    ),
    'its namespace has no subnet': world(
      object('Namespace', 'shop'),
      standard,
      placed('ovn-default'),
      workload('StatefulSet'),
    ),
    'its template asks for a subnet': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default'),
      workload('StatefulSet', { [SWITCH]: 'ovn-default' }),
    ),
    'its template asks for a pool': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default'),
      workload('ReplicaSet', { 'ovn.kubernetes.io/ip_pool': 'pool' }),
      placed('ovn-default', ownedBy('ReplicaSet')),
    ),
    'it has a pool, which an admission webhook gave it': world(
      namespace('apps'),
      apps,
      standard,
      inPool('pool', ownedBy('StatefulSet')),
      workload('StatefulSet'),
    ),
    'it has a pool, and no owner': world(namespace('apps'), apps, standard, inPool('pool', [])),
    'its template asks for an address': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default', ownedBy('DaemonSet')),
      workload('DaemonSet', { 'ovn.kubernetes.io/ip_address': '10.16.0.9' }),
    ),
    'its machine asks for a subnet': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default', ownedBy('VirtualMachineInstance')),
      machine({ [SWITCH]: 'ovn-default' }),
      object('VirtualMachineInstance', 'shop/web'),
    ),
    'its bare machine instance asks for a subnet': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default', ownedBy('VirtualMachineInstance')),
      object('VirtualMachineInstance', 'shop/web', {
        metadata: { annotations: { [SWITCH]: 'ovn-default' } },
      }),
    ),
    "it is on the host's network": world(
      namespace('apps'),
      apps,
      placed('ovn-default', undefined, { spec: { hostNetwork: true } }),
      workload('StatefulSet'),
    ),
    'it is completed': world(
      namespace('apps'),
      apps,
      placed('ovn-default', undefined, { status: { phase: 'Succeeded' } }),
      workload('StatefulSet'),
    ),
    'it has no address yet': world(
      namespace('apps'),
      apps,
      pod('shop/web-0', { metadata: { annotations: { [SWITCH]: 'ovn-default' } } }),
    ),
  },
  unknown: {
    'nobody is said to have written its subnet': world(
      namespace('apps'),
      apps,
      standard,
      writtenBy(),
      workload('StatefulSet'),
    ),
    "nobody's template could show it: it has no owner": world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default', []),
    ),
    'its owner is of a kind we do not read': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default', ownedBy('Job')),
    ),
    'its owner is gone': world(namespace('apps'), apps, standard, placed('ovn-default')),
    "its namespace's subnet is not there": world(
      namespace('apps'),
      standard,
      placed('ovn-default'),
      workload('StatefulSet'),
    ),
    'machines are installed but not listed': world(
      namespace('apps'),
      apps,
      standard,
      placed('ovn-default', ownedBy('VirtualMachineInstance')),
      object('VirtualMachineInstance', 'shop/web'),
    ).unheardOf('VirtualMachine'),
  },
  violation: {
    "Kube-OVN's controller chose its subnet": {
      given: world(
        namespace('apps'),
        apps,
        standard,
        writtenBy('kube-ovn-controller'),
        workload('StatefulSet'),
      ),
      summary: says,
    },
    'nobody asked for the subnet it is in': {
      given: world(
        namespace('apps'),
        apps,
        standard,
        placed('ovn-default'),
        workload('StatefulSet'),
      ),
      summary: says,
    },
    'its machine did not ask for it': {
      given: world(
        namespace('apps'),
        apps,
        standard,
        placed('ovn-default', ownedBy('VirtualMachineInstance')),
        machine({}),
      ),
      summary: says,
    },
    'its machine instance is bare and did not ask for it': {
      given: world(
        namespace('apps'),
        apps,
        standard,
        placed('ovn-default', ownedBy('VirtualMachineInstance')),
        object('VirtualMachineInstance', 'shop/web'),
      ),
      summary: says,
    },
    'its namespace has several others': {
      given: world(
        namespace('web,apps'),
        apps,
        object('Subnet', 'web'),
        placed('ovn-default'),
        workload('StatefulSet'),
      ),
      summary:
        'pod shop/web-0 has an address of subnet ovn-default, but its namespace uses apps, web',
    },
  },
});

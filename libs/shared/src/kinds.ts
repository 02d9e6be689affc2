/** A Kubernetes kind the collector reads, as the API serves it. */
export interface KubernetesKind {
  readonly kind: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural in the URL. */
  readonly resource: string;
  readonly namespaced: boolean;
}

const core = (kind: string, resource: string, namespaced = true): KubernetesKind => ({
  kind,
  group: '',
  version: 'v1',
  resource,
  namespaced,
});
const of =
  (group: string, version: string) =>
  (kind: string, resource: string, namespaced = true): KubernetesKind => ({
    kind,
    group,
    version,
    resource,
    namespaced,
  });

const apps = of('apps', 'v1');
const kubeovn = of('kubeovn.io', 'v1');
const kubevirt = of('kubevirt.io', 'v1');
const cni = of('k8s.cni.cncf.io', 'v1');
const POLICIES = 'policy.networking.k8s.io';

/**
 * Every Kubernetes kind we read: one that some rule or other code uses, and no more
 * (`kinds-in-use.test.ts` in judgement). Secrets are not among them and never will be, nor are
 * ConfigMaps, which may hold anything. Kube-OVN's kinds are cluster-scoped but for VpcEgressGateway
 * (its CRDs, v1.17).
 */
export const KUBERNETES_KINDS: readonly KubernetesKind[] = [
  core('Node', 'nodes', false),
  core('Namespace', 'namespaces', false),
  core('Pod', 'pods'),
  core('Service', 'services'),
  apps('Deployment', 'deployments'),
  apps('ReplicaSet', 'replicasets'),
  apps('StatefulSet', 'statefulsets'),
  apps('DaemonSet', 'daemonsets'),
  of('discovery.k8s.io', 'v1')('EndpointSlice', 'endpointslices'),
  of('networking.k8s.io', 'v1')('NetworkPolicy', 'networkpolicies'),
  of(POLICIES, 'v1alpha1')('AdminNetworkPolicy', 'adminnetworkpolicies', false),
  of(POLICIES, 'v1alpha1')('BaselineAdminNetworkPolicy', 'baselineadminnetworkpolicies', false),
  of(POLICIES, 'v1alpha2')('ClusterNetworkPolicy', 'clusternetworkpolicies', false),
  of('coordination.k8s.io', 'v1')('Lease', 'leases'),
  of('apiextensions.k8s.io', 'v1')('CustomResourceDefinition', 'customresourcedefinitions', false),
  cni('NetworkAttachmentDefinition', 'network-attachment-definitions'),
  kubevirt('VirtualMachine', 'virtualmachines'),
  kubevirt('VirtualMachineInstance', 'virtualmachineinstances'),
  kubevirt('VirtualMachineInstanceMigration', 'virtualmachineinstancemigrations'),
  kubeovn('Vpc', 'vpcs', false),
  kubeovn('Subnet', 'subnets', false),
  kubeovn('IP', 'ips', false),
  kubeovn('IPPool', 'ippools', false),
  kubeovn('Vip', 'vips', false),
  kubeovn('SecurityGroup', 'security-groups', false),
  kubeovn('Vlan', 'vlans', false),
  kubeovn('ProviderNetwork', 'provider-networks', false),
  kubeovn('VpcNatGateway', 'vpc-nat-gateways', false),
  kubeovn('IptablesEIP', 'iptables-eips', false),
  kubeovn('IptablesFIPRule', 'iptables-fip-rules', false),
  kubeovn('IptablesDnatRule', 'iptables-dnat-rules', false),
  kubeovn('IptablesSnatRule', 'iptables-snat-rules', false),
  kubeovn('OvnEip', 'ovn-eips', false),
  kubeovn('OvnFip', 'ovn-fips', false),
  kubeovn('OvnSnatRule', 'ovn-snat-rules', false),
  kubeovn('OvnDnatRule', 'ovn-dnat-rules', false),
  kubeovn('SwitchLBRule', 'switch-lb-rules', false),
  kubeovn('RouterLBRule', 'router-lb-rules', false),
  kubeovn('QoSPolicy', 'qos-policies', false),
  kubeovn('VpcEgressGateway', 'vpc-egress-gateways'),
];

const byKind = new Map(KUBERNETES_KINDS.map((it) => [it.kind, it]));

/** The catalogue entry of a kind, when it is one we read. */
export const kubernetesKind = (kind: string): KubernetesKind | undefined => byKind.get(kind);

/** `v1`, `kubeovn.io/v1`. */
export const apiVersionOf = (kind: KubernetesKind): string =>
  kind.group ? `${kind.group}/${kind.version}` : kind.version;

/** The API group of an `apiVersion`; '' is the core's. */
export const apiGroupOf = (apiVersion: string): string =>
  apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** The name of the CustomResourceDefinition behind a kind; undefined for built-in groups. */
export const crdNameOf = (kind: KubernetesKind): string | undefined =>
  ['kubeovn.io', 'kubevirt.io', 'k8s.cni.cncf.io', POLICIES].includes(kind.group)
    ? `${kind.resource}.${kind.group}`
    : undefined;

/** The stream a Kubernetes kind travels in. */
export const kubernetesStream = (kind: string): string => `kubernetes/${kind}`;

/** Every stream of Kubernetes, in the order of the catalogue. */
export const KUBERNETES_STREAMS: readonly string[] = KUBERNETES_KINDS.map(({ kind }) =>
  kubernetesStream(kind),
);

const DROPPED_STREAMS = new Set(['ConfigMap', 'VpcDns'].map(kubernetesStream));

/**
 * Whether a stream is of a Kubernetes kind that earlier versions read and this one does not: they
 * may have left its records in the log and in a collector's memory. They are passed over, since no
 * rule reads them.
 */
export const isUnreadStream = (stream: string): boolean => DROPPED_STREAMS.has(stream);

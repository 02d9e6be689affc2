import { groupOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { type Entity, keyOf } from '../world/entity';
import { readingsOf } from '../kube-ovn/policy-readings';
import { serviceAddresses, splitVip, vipKey } from '../kube-ovn/vips';

/** The kinds of which a recording shows whether their lists are whole: other things name their objects. */
export const LISTED_KINDS = [
  'Service',
  'NetworkPolicy',
  'SecurityGroup',
  'IPPool',
  'VpcEgressGateway',
  'VirtualMachine',
  'VirtualMachineInstance',
  'StatefulSet',
  'Node',
  'Vpc',
  'Vip',
  'OvnFip',
  'OvnSnatRule',
  'OvnDnatRule',
] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

/** What speaks of them. */
export const LIST_EVIDENCE_KINDS = [
  ...LISTED_KINDS,
  'SwitchLBRule',
  'Port_Group',
  'Address_Set',
  'Load_Balancer',
  'Logical_Switch_Port',
  'IP',
  'OvnEip',
  'Subnet',
  'Pod',
  'Deployment',
] as const;
export type ListEvidenceKind = (typeof LIST_EVIDENCE_KINDS)[number];

/**
 * What an entity says of one object of a kind. `there`: it is that object. `named`: a row or object was made for it, and may have outlived it. `needed`: what lives only
 * with it is alive, so that it was left out of the recording.
 */
export interface ListEvidence {
  readonly kind: ListedKind;
  /** `namespace/name` or name; of Services an address, port and protocol as well; of rules for OvnEips the OvnEip. */
  readonly key: string;
  readonly says: 'there' | 'named' | 'needed';
}

const LISTED: ReadonlySet<string> = new Set(LISTED_KINDS);
const isListed = (kind: string): kind is ListedKind => LISTED.has(kind);

export function listEvidenceOf(entity: Entity<ListEvidenceKind>): readonly ListEvidence[] {
  return [...(isListed(entity.kind) ? [there(entity.kind, keyOf(entity))] : []), ...more(entity)];
}

const there = (kind: ListedKind, key: string): ListEvidence => ({ kind, key, says: 'there' });
const named = (kind: ListedKind, key: string): ListEvidence => ({ kind, key, says: 'named' });
const needed = (kind: ListedKind, key: string): ListEvidence => ({ kind, key, says: 'needed' });

function more(entity: Entity<ListEvidenceKind>): readonly ListEvidence[] {
  switch (entity.kind) {
    case 'Port_Group':
    case 'Address_Set':
      return ofPolicyRow(entity as Entity<'Address_Set'>);
    case 'Load_Balancer':
      return ofBalancer(entity as Entity<'Load_Balancer'>);
    case 'Logical_Switch_Port':
      return ofPort(entity as Entity<'Logical_Switch_Port'>);
    case 'Service':
      return ofService(entity as Entity<'Service'>);
    case 'SwitchLBRule':
      return ofSwitchRule(entity as Entity<'SwitchLBRule'>);
    case 'IP':
      return ofIp(entity as Entity<'IP'>);
    case 'OvnEip':
      return ofEip(entity as Entity<'OvnEip'>);
    case 'OvnFip':
    case 'OvnSnatRule':
    case 'OvnDnatRule':
      return [there(entity.kind, (entity as Entity<'OvnFip'>).object.spec?.ovnEip ?? '')];
    case 'Subnet':
      return ofSubnet(entity as Entity<'Subnet'>);
    case 'Pod':
      return [...ofNodeName(entity as Entity<'Pod'>), ...ofOwners(entity)];
    case 'StatefulSet':
    case 'Deployment':
    case 'VirtualMachineInstance':
      return ofOwners(entity);
    default:
      return [];
  }
}

const isOurs = (ids: Readonly<Record<string, string>>): boolean => ids['vendor'] === 'kube-ovn';

const NAMED_BY_KEYS: ReadonlySet<string> = new Set(['SecurityGroup', 'IPPool', 'VpcEgressGateway']);

/** A policy is named by its address sets, which every one has: the keys of its port group may be those of a node or a subnet as well (`readingsOf`). */
function ofPolicyRow({ object }: Entity<'Address_Set'>): readonly ListEvidence[] {
  const ids = object.external_ids ?? {};
  if (!isOurs(ids)) return [];
  const readings = readingsOf(ids) ?? [];
  return (readings.length === 1 ? readings[0]! : []).flatMap(({ kind, key }) =>
    NAMED_BY_KEYS.has(kind) || (kind === 'NetworkPolicy' && key !== '')
      ? [named(kind as ListedKind, key)]
      : [],
  );
}

/** The names of the balancers of a VPC (kube-ovn.md §3.5). */
const OF_VPC = /^(?:vpc-.+-load|cluster-(?:tcp|udp|sctp)(?:-session)?-loadbalancer)$/s;

function ofBalancer({ name, object }: Entity<'Load_Balancer'>): readonly ListEvidence[] {
  if (!OF_VPC.test(name) || !isOurs(object.external_ids ?? {})) return [];
  return Object.keys(object.vips ?? {}).flatMap((vip) => {
    const split = splitVip(vip);
    const key = split && vipKey(split.ip, split.port, object.protocol ?? 'tcp');
    return key === undefined ? [] : [named('Service', key)];
  });
}

type Port = { readonly port: number; readonly protocol?: string };
const asking = (addresses: readonly string[], ports: readonly Port[]): readonly ListEvidence[] =>
  addresses.flatMap((ip) =>
    ports.flatMap(({ port, protocol }) => {
      const key = vipKey(ip, port, protocol ?? 'TCP');
      return key === undefined ? [] : [there('Service', key)];
    }),
  );

const ofService = (service: Entity<'Service'>): readonly ListEvidence[] =>
  asking(serviceAddresses(service), service.object.spec?.ports ?? []);

const ofSwitchRule = ({ object: { spec } }: Entity<'SwitchLBRule'>): readonly ListEvidence[] =>
  asking((spec?.vip ?? '').split(','), spec?.ports ?? []);

/** A node's port that a chassis holds up; the virtual port of a Vip, and that of a Vip for load balancers, which answers ARP for it (kube-ovn.md §3.1). */
function ofPort({ name, object }: Entity<'Logical_Switch_Port'>): readonly ListEvidence[] {
  const { type = '', up, options = {}, external_ids: ids = {} } = object;
  if (!isOurs(ids)) return [];
  if (type === 'virtual') return [named('Vip', name)];
  const served = Object.hasOwn(ids, 'pod') ? ids['pod']! : '';
  if (type === '' && served !== '' && options['arp_proxy'] === 'true')
    return [named('Vip', served.slice(served.indexOf('/') + 1))];
  return type === '' && served === '' && up === true && name.startsWith('node-')
    ? [needed('Node', name.slice('node-'.length))]
    : [];
}

const ORDINAL = /-(?:0|[1-9][0-9]*)$/;

function ofIp({ object: { spec } }: Entity<'IP'>): readonly ListEvidence[] {
  const { namespace = '', podName = '', podType = '' } = spec ?? {};
  if (namespace === '' || podName === '') return [];
  if (podType === 'VirtualMachine') return [named('VirtualMachine', objectKey(namespace, podName))];
  return podType === 'StatefulSet' && ORDINAL.test(podName)
    ? [named('StatefulSet', objectKey(namespace, podName.replace(ORDINAL, '')))]
    : [];
}

/** What the controller notes in `status.nat` for each kind of rule. */
const NOTED: Readonly<Record<string, ListedKind>> = {
  fip: 'OvnFip',
  snat: 'OvnSnatRule',
  dnat: 'OvnDnatRule',
};

const ofEip = ({ name, object: { status } }: Entity<'OvnEip'>): readonly ListEvidence[] =>
  (status?.nat ?? '').split(',').flatMap((it) => {
    const kind = Object.hasOwn(NOTED, it) ? NOTED[it] : undefined;
    return kind === undefined ? [] : [named(kind, name)];
  });

const isGoing = ({ object }: Entity): boolean =>
  (object as unknown as Entity<'Pod'>['object']).metadata.deletionTimestamp !== undefined;

/** Pods of a node that is gone are removed by Kubernetes within a minute. */
const ofNodeName = (pod: Entity<'Pod'>): readonly ListEvidence[] =>
  pod.object.spec?.nodeName && !isGoing(pod as Entity)
    ? [needed('Node', pod.object.spec.nodeName)]
    : [];

/** A Vpc has a finalizer of Kube-OVN's while it has Subnets. */
const ofSubnet = (subnet: Entity<'Subnet'>): readonly ListEvidence[] =>
  subnet.object.spec?.vpc && !isGoing(subnet as Entity)
    ? [needed('Vpc', subnet.object.spec.vpc)]
    : [];

/** Kubernetes removes what is left without its owner. */
function ofOwners(entity: Entity<ListEvidenceKind>): readonly ListEvidence[] {
  if (isGoing(entity as unknown as Entity)) return [];
  const { metadata } = (entity as Entity<'Pod'>).object;
  return (metadata.ownerReferences ?? []).flatMap((owner) =>
    owner.controller === true &&
    isListed(owner.kind) &&
    kubernetesKind(owner.kind)?.group === groupOf(owner.apiVersion ?? '')
      ? [needed(owner.kind, objectKey(entity.namespace, owner.name))]
      : [],
  );
}

import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { apiGroupOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { keyOfAdminPolicy } from '../kube-ovn/admin-policies';
import { serviceAddresses, vipKey } from '../kube-ovn/vips';
import type { Entity } from '../world/entity';
import {
  isListed,
  type ListedKind,
  type ListEvidence,
  namedEvidence,
  needed,
  there,
} from './listed-kinds';
import { isBeingDeleted } from '../kube-ovn/deletion';

type Port = { readonly port: number; readonly protocol?: string };
const evidenceOf = (
  addresses: readonly string[],
  ports: readonly Port[],
): readonly ListEvidence[] =>
  addresses.flatMap((ip) =>
    ports.flatMap(({ port, protocol }) => {
      const key = vipKey(ip, port, protocol ?? 'TCP');
      return key === undefined ? [] : [there('Service', key)];
    }),
  );

export const ofService = (service: Entity<'Service'>): readonly ListEvidence[] =>
  evidenceOf(serviceAddresses(service), service.object.spec?.ports ?? []);

export const ofSwitchRule = ({
  object: { spec },
}: Entity<'SwitchLBRule'>): readonly ListEvidence[] =>
  evidenceOf((spec?.vip ?? '').split(','), spec?.ports ?? []);

/** Its group names it with dots for dashes, its address sets by its name. */
export const ofClusterPolicy = ({
  kind,
  name,
}: Entity<'ClusterNetworkPolicy'>): readonly ListEvidence[] => [
  there(kind, keyOfAdminPolicy({ kind, name })),
];

const ORDINAL = /-(?:0|[1-9][0-9]*)$/;

export function ofIp({ object: { spec } }: Entity<'IP'>): readonly ListEvidence[] {
  const { namespace = '', podName = '', podType = '' } = spec ?? {};
  if (namespace === '' || podName === '') return [];
  if (podType === 'VirtualMachine')
    return [namedEvidence('VirtualMachine', objectKey(namespace, podName))];
  return podType === 'StatefulSet' && ORDINAL.test(podName)
    ? [namedEvidence('StatefulSet', objectKey(namespace, podName.replace(ORDINAL, '')))]
    : [];
}

/** What the controller writes in `status.nat` for each kind of rule. */
const STATUS_KINDS: Readonly<Record<string, ListedKind>> = {
  fip: 'OvnFip',
  snat: 'OvnSnatRule',
  dnat: 'OvnDnatRule',
};

export const ofEip = ({ name, object: { status } }: Entity<'OvnEip'>): readonly ListEvidence[] =>
  (status?.nat ?? '').split(',').flatMap((rule) => {
    const kind = Object.hasOwn(STATUS_KINDS, rule) ? STATUS_KINDS[rule] : undefined;
    return kind === undefined ? [] : [namedEvidence(kind, name)];
  });

/** Kinds whose objects have owners that control them. */
type Owned =
  Entity<'Pod'> | Entity<'StatefulSet'> | Entity<'Deployment'> | Entity<'VirtualMachineInstance'>;

/** Each rule for an OvnEip is there under the OvnEip, too. */
export const ofRuleOfEip = ({
  kind,
  object,
}: Entity<'OvnFip' | 'OvnSnatRule' | 'OvnDnatRule'>): readonly ListEvidence[] => [
  there(kind, object.spec?.ovnEip ?? ''),
];

/** Kubernetes removes pods of a deleted node within a minute. */
const ofNodeName = (pod: Entity<'Pod'>): readonly ListEvidence[] =>
  pod.object.spec?.nodeName && !isBeingDeleted(pod)
    ? [needed('Node', pod.object.spec.nodeName)]
    : [];

/** A Vpc has a finalizer of Kube-OVN's while it has Subnets. */
export const ofSubnet = (subnet: Entity<'Subnet'>): readonly ListEvidence[] =>
  subnet.object.spec?.vpc && !isBeingDeleted(subnet) ? [needed('Vpc', subnet.object.spec.vpc)] : [];

/** Kubernetes removes what is left without its owner. */
export const ofOwners = (entity: Owned): readonly ListEvidence[] =>
  (isBeingDeleted(entity) ? [] : (entity.object.metadata.ownerReferences ?? [])).flatMap((owner) =>
    owner.controller === true &&
    isListed(owner.kind) &&
    kubernetesKind(owner.kind)?.group === apiGroupOf(owner.apiVersion ?? '')
      ? [needed(owner.kind, objectKey(entity.namespace, owner.name))]
      : [],
  );

export const ofPod = (pod: Entity<'Pod'>): readonly ListEvidence[] => [
  ...ofNodeName(pod),
  ...ofOwners(pod),
];

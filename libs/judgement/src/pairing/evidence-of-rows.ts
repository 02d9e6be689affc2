import { ADMIN_POLICY_KINDS } from '../kube-ovn/admin-policies';
import { readingsOf } from '../kube-ovn/policy-readings';
import { splitVip, vipKey } from '../kube-ovn/vips';
import type { Entity } from '../world/entity';
import { type ListedKind, type ListEvidence, namedEvidence, needed } from './listed-kinds';

const isOurs = (ids: Readonly<Record<string, string>>): boolean => ids['vendor'] === 'kube-ovn';

const NAMED_BY_KEYS: ReadonlySet<string> = new Set([
  'SecurityGroup',
  'IPPool',
  'VpcEgressGateway',
  ...ADMIN_POLICY_KINDS,
]);

/**
 * A policy is named by its address sets, which every one has: the keys of its port group may be
 * those of a node or a subnet as well (`readingsOf`).
 */
export function ofPolicyRow({
  object,
}: Entity<'Port_Group'> | Entity<'Address_Set'>): readonly ListEvidence[] {
  const ids = object.external_ids ?? {};
  if (!isOurs(ids)) return [];
  const readings = readingsOf(ids) ?? [];
  return (readings.length === 1 ? readings[0]! : []).flatMap(({ kind, key }) =>
    NAMED_BY_KEYS.has(kind) || (kind === 'NetworkPolicy' && key !== '')
      ? [namedEvidence(kind as ListedKind, key)]
      : [],
  );
}

/** The names of the balancers of a VPC (kube-ovn.md §3.5). */
const OF_VPC = /^(?:vpc-.+-load|cluster-(?:tcp|udp|sctp)(?:-session)?-loadbalancer)$/s;

export function ofBalancer({ name, object }: Entity<'Load_Balancer'>): readonly ListEvidence[] {
  if (!OF_VPC.test(name) || !isOurs(object.external_ids ?? {})) return [];
  return Object.keys(object.vips ?? {}).flatMap((vip) => {
    const split = splitVip(vip);
    const key = split && vipKey(split.ip, split.port, object.protocol ?? 'tcp');
    return key === undefined ? [] : [namedEvidence('Service', key)];
  });
}

/**
 * A node's port that a chassis holds up; the virtual port of a Vip, and that of a Vip for load
 * balancers, which answers ARP for it (kube-ovn.md §3.1).
 */
export function ofPort({ name, object }: Entity<'Logical_Switch_Port'>): readonly ListEvidence[] {
  const { type = '', up, options = {}, external_ids: ids = {} } = object;
  if (!isOurs(ids)) return [];
  if (type === 'virtual') return [namedEvidence('Vip', name)];
  const served = Object.hasOwn(ids, 'pod') ? ids['pod']! : '';
  if (type === '' && served !== '' && options['arp_proxy'] === 'true')
    return [namedEvidence('Vip', served.slice(served.indexOf('/') + 1))];
  return type === '' && served === '' && up === true && name.startsWith('node-')
    ? [needed('Node', name.slice('node-'.length))]
    : [];
}

import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import type { Entity } from '../world/entity';
import { defineRelation } from '../world/relation';
import { serviceAddresses } from '../kube-ovn/vips';

const addresses = (...texts: (string | undefined)[]): string[] =>
  texts
    .flatMap((it) => (it ? (tryParseIp(it.trim()) ?? []) : []))
    .map((it) => `address ${formatIp(it)}`);
const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '');

/** The kinds that name a Vip or its address. */
export const VIP_USER_KINDS = [
  'Pod',
  'Service',
  'SwitchLBRule',
  'OvnFip',
  'OvnSnatRule',
  'OvnDnatRule',
  'IptablesFIPRule',
  'IptablesDnatRule',
  'Logical_Switch_Port',
  'Load_Balancer',
  'Logical_Router_Static_Route',
  'Logical_Router_Policy',
] as const;

/**
 * What may use a Vip, by `name <vip>` or `address <ip>`: everything that names it or its address,
 * except for its own virtual port.
 */
export const vipUsers = defineRelation({
  id: 'vip-users',
  kinds: VIP_USER_KINDS,
  keys: (user) => {
    switch (user.kind) {
      case 'Pod':
        return ofPod(user as Entity<'Pod'>);
      case 'Service':
        return addresses(...serviceAddresses(user as Entity<'Service'>));
      case 'SwitchLBRule':
        return ofBalancing(user as Entity<'SwitchLBRule'>);
      case 'Logical_Switch_Port':
        return ofPort(user as Entity<'Logical_Switch_Port'>);
      case 'Load_Balancer':
        return ofBalancer(user as Entity<'Load_Balancer'>);
      case 'Logical_Router_Static_Route':
      case 'Logical_Router_Policy':
        return addresses(...nextHops((user as Entity<'Logical_Router_Policy'>).object));
      default:
        return ofRule(user as Entity<'OvnFip'>);
    }
  },
});

/**
 * Annotations `vip` and `aaps` (allowed address pairs) hold names of Vips, `port_vips` addresses.
 */
function ofPod({ object: { metadata } }: Entity<'Pod'>): string[] {
  return Object.entries(metadata.annotations ?? {}).flatMap(([key, text]) => {
    if (key.endsWith('.kubernetes.io/vip') || key.endsWith('.kubernetes.io/aaps'))
      return list(text).map((it) => `name ${it}`);
    return key.endsWith('.kubernetes.io/port_vips') ? addresses(...list(text)) : [];
  });
}

function ofPort({
  object: { options, external_ids: ids },
}: Entity<'Logical_Switch_Port'>): string[] {
  return addresses(options?.['virtual-ip'], ...list(ids?.['vips']));
}

/** `<port>:<source address>` under each backend's address: the checks are sent from there. */
const ofBalancer = ({
  object: { ip_port_mappings: mappings },
}: Entity<'Load_Balancer'>): string[] =>
  Object.values(mappings ?? {}).flatMap((it) =>
    addresses(it.slice(it.indexOf(':') + 1).replace(/^\[|\]$/g, '')),
  );

const ofBalancing = ({ object: { spec } }: Entity<'SwitchLBRule'>): string[] =>
  addresses(...list(spec?.vip), ...(spec?.endpoints ?? []));

/** One of a route or an older policy, several of a policy. */
function nextHops({ nexthop, nexthops }: Readonly<Record<string, unknown>>): string[] {
  return [nexthop, ...(Array.isArray(nexthops) ? (nexthops as unknown[]) : [nexthops])].filter(
    (it): it is string => typeof it === 'string',
  );
}

const ofRule = ({ object: { spec } }: Entity<'OvnFip'>): string[] => [
  ...(spec?.ipName ? [`name ${spec.ipName}`] : []),
  ...addresses(
    spec?.v4Ip,
    spec?.v6Ip,
    spec?.internalIp,
    host(spec?.v4IpCidr),
    host(spec?.v6IpCidr),
  ),
];

/** The address of a block, or of what is written like one. */
const host = (cidr: string | undefined): string | undefined => cidr?.split('/')[0];

import { portGroupOfSecurityGroup } from '../ownership/grammar/names';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { formatIp, type Ip, tryParseIp } from '@ovn-steward/shared/address';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { blocksAround } from '../kube-ovn/blocks-around';
import { localEvidence } from '../ownership/local-evidence';
import { gatewayPolicies, sourceOf } from '../relations/gateway-policies';
import { groupMarkedRows } from '../relations/group-marked-rows';
import { holdersByAddress } from '../relations/holders-by-address';
import { hostRoutes } from '../relations/host-routes';
import { natsByAddress } from '../relations/nats-by-address';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { tallyCount } from '../world/tally-count';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { flagOf } from './controller-flags';
import type { View } from './view';

/**
 * Objects that decide whether they are taken: while a kind of them is not known, nothing is said of
 * the rows.
 */
export const COLLECTED_KINDS = [
  ...HOLDER_KINDS,
  'Node',
  'Pod',
  'SecurityGroup',
  'Subnet',
  'Vpc',
] as const;

/** Tables that are read for them. */
export const COLLECTED_TABLES = [
  'Address_Set',
  'Logical_Router_Policy',
  'Logical_Router_Static_Route',
  'NAT',
] as const;

type Consulted = View<
  (typeof COLLECTED_KINDS | typeof COLLECTED_TABLES)[number] | 'Logical_Router' | 'Port_Group'
>;

/** How many rows of others, by owner. */
export type Counts = ReadonlyMap<string, number>;

const countsOf = (rows: readonly Entity[]): Counts => {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const { owner } = localEvidence(row);
    tallyCount(counts, owner === 'none' ? 'unknown' : owner, 1);
  }
  return counts;
};

/**
 * Groups, or address sets, of others with the key `sg` that Kube-OVN takes before v1.15: a group
 * whose SecurityGroup there is not, a set whose group of Kube-OVN's there is not
 * (kube-ovn.md §4.6).
 */
export const markedAsGroups = (table: 'Port_Group' | 'Address_Set', view: Consulted): Counts =>
  countsOf(
    (view.knows('SecurityGroup') ? view.related(groupMarkedRows, 'sg') : []).filter((row) => {
      if (row.kind !== table) return false;
      const group = row.object.external_ids?.['sg'] ?? '';
      return table === 'Port_Group'
        ? view.presence('SecurityGroup', group) === 'absent'
        : view.presence('Port_Group', portGroupOfSecurityGroup(group)) === 'absent';
    }),
  );

const ROUTE_KINDS = COLLECTED_KINDS.filter((it) => it !== 'SecurityGroup' && it !== 'Pod');

/**
 * Static routes of others on the router of the default VPC for an address that is in use, without
 * a NAT for it, and in no spec: every release takes them at its start (kube-ovn.md §4.8).
 */
export function collectedRoutes(deployment: Entity<'Deployment'>, view: Consulted): Counts {
  const name = flagOf(deployment, 'cluster-router') ?? DEFAULT_VPC;
  if (!ROUTE_KINDS.every((it) => view.knows(it))) return new Map();
  const desired = view.get('Vpc', name)?.object.spec?.staticRoutes;
  return countsOf(
    view.related(hostRoutes, 'host').filter((route) => {
      if (!isOnRouter(route, name, view)) return false;
      const { ip_prefix: prefix, nexthop } = route.object;
      const ip = tryParseIp(String(prefix));
      const isDesired = (desired ?? []).some(
        (it) => it['cidr'] === prefix && it['nextHopIP'] === nexthop,
      );
      return ip !== undefined && !isDesired && isAddressInUse(ip, name, view);
    }),
  );
}

function isOnRouter(row: Entity, name: string, view: Consulted): boolean {
  const [parent] = parentsOf(row);
  return parent !== undefined && view.identity('Logical_Router', parent.uid)?.name === name;
}

function isAddressInUse(ip: Ip, router: string, view: Consulted): boolean {
  if (view.has(natsByAddress, `inside ${formatIp(ip)}`)) return false;
  return holdersIn(ip, router, view).length > 0;
}

/** Who holds the address in a subnet of the router. */
const holdersIn = (ip: Ip, router: string, view: Consulted): readonly Entity[] =>
  blocksAround(ip)
    .flatMap((it) => view.related(policyClaimsByBlock, `${router} ${it}`))
    .flatMap((subnet) => view.related(holdersByAddress, `${subnet.name} ${formatIp(ip)}`));

const POLICY_KINDS = [...HOLDER_KINDS, 'Node', 'Pod', 'Subnet'] as const;

/**
 * Router policies of others on the router of the default VPC at the priority of north gateways,
 * whose source is no pod with one: every release takes them at its start (kube-ovn.md §4.10).
 */
export function collectedPolicies(deployment: Entity<'Deployment'>, view: Consulted): Counts {
  const name = flagOf(deployment, 'cluster-router') ?? DEFAULT_VPC;
  if (!POLICY_KINDS.every((it) => view.knows(it))) return new Map();
  return countsOf(
    view.related(gatewayPolicies, 'north gateway').filter((policy) => {
      if (!isOnRouter(policy, name, view)) return false;
      const source = tryParseIp(sourceOf(policy.object['match']) ?? '');
      return source === undefined || !hasGateway(holdersIn(source, name, view), view);
    }),
  );
}

const hasGateway = (holders: readonly Entity[], view: Consulted): boolean =>
  holders.some((holder) => {
    if (holder.kind !== 'IP') return false;
    const { namespace = '', podName = '' } = (holder as Entity<'IP'>).object.spec ?? {};
    const annotations = view.get('Pod', `${namespace}/${podName}`)?.object.metadata.annotations;
    return (annotations?.['ovn.kubernetes.io/north_gateway'] ?? '') !== '';
  });

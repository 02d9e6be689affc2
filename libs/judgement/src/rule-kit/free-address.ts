import { formatIp, type Ip } from '@ovn-steward/shared/address';
import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { blocksAround } from '../kube-ovn/blocks-around';
import { holdersByAddress } from '../relations/holders-by-address';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { portsByAddress } from '../relations/ports-by-address';
import { switchesByName } from '../relations/switches-by-name';
import { VIP_USER_KINDS, vipUsers } from '../relations/vip-users';
import type { Entity } from '../world/entity';
import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { allocatable, inIpam } from './subnet-ipam';
import type { View } from './view';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unclaimed } from './facts';

/** What a rule reads that calls `freeIn`. */
export const FREE_ADDRESS_KINDS = [
  ...HOLDER_KINDS,
  'Node',
  'Subnet',
  'Logical_Switch',
  ...VIP_USER_KINDS,
] as const;

type Consulted = View<(typeof FREE_ADDRESS_KINDS)[number]>;

/**
 * The Subnet of the router whose next pod may get the address: nothing records it or names it as a
 * virtual address, next hop or endpoint, no port of the switch answers for it, and Kube-OVN's
 * memory does not have it in use. Undefined where anything of that is not so or not known, as for
 * an address in `excludeIps`, which somebody outside may have.
 */
export function freeIn(ip: Ip, router: string, view: Consulted): Entity<'Subnet'> | undefined {
  const claims = blocksAround(ip).flatMap((it) =>
    view.related(policyClaimsByBlock, `${router} ${it}`),
  );
  const [subnet, second] = claims as readonly Entity<'Subnet'>[];
  if (!subnet || second || isBeingDeleted(subnet)) return undefined;
  const given = allocatable(subnet);
  const used = inIpam(subnet, ip.family === 4 ? 'v4' : 'v6');
  if (!given || !used || used.contains(ip) || given.excluded.contains(ip)) return undefined;
  const text = formatIp(ip);
  const switches = view.related(switchesByName, subnet.name);
  const has =
    switches.length !== 1 ||
    view.has(holdersByAddress, `${subnet.name} ${text}`) ||
    view.has(portsByAddress, `${switches[0]!.uid} ${text}`) ||
    view.has(vipUsers, `address ${text}`);
  return has ? undefined : subnet;
}

/** The facts of it. */
export const isFree = (ip: Ip, subnet: Entity<'Subnet'>): Fact[] => [
  present(subnet),
  unclaimed('IP', `spec.ipAddress in subnet ${subnet.name}`, formatIp(ip)),
  unclaimed('Logical_Switch_Port', `addresses on switch ${subnet.name}`, formatIp(ip)),
];

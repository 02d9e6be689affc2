import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import { splitVip } from '../kube-ovn/vips';
import { keylessBalancers } from '../relations/keyless-balancers';
import { ovnEipsByAddress } from '../relations/ovn-eips-by-address';
import { neighbours } from '../tallies/neighbours';
import type { Entity } from '../world/entity';
import type { View } from './view';

type Consulted = View<'Load_Balancer' | 'OvnDnatRule' | 'OvnEip'>;

/** The first release whose collection spares a balancer that is named like an OvnDnatRule. */
const SPARES_DNAT: Release = [1, 13, 0];

/**
 * How many load balancers without a key are at no risk, and of how many that is unknown: those of
 * OvnDnatRules that exist, which the collection spares by their name, and what Kube-OVN itself left
 * of deleted ones. Before v1.15 their balancers carry no key. Every release leaves an empty one
 * (`DelDnatRule` in pkg/controller/ovn_dnat.go; seen), and one whose rule lost its finalizer by
 * force still leads from the address of an OvnEip. An empty balancer serves nobody, whoever made
 * it.
 */
export function sparedBalancers(
  deployment: Entity<'Deployment'>,
  view: Consulted,
): { readonly spared: number; readonly open: number } {
  const release = releaseOf(deployment);
  const sparesNamed = release && !isOlderRelease(release, SPARES_DNAT);
  // Those of Vpcs carry no key either, and are not among the neighbours.
  const counted = view
    .related(keylessBalancers, 'keyless')
    .filter((it) => neighbours.keys(it).length > 0);
  const each = counted.map((balancer) => {
    const presence = view.presence('OvnDnatRule', balancer.name);
    if (presence === 'present') return sparesNamed;
    const isLeft =
      Object.keys(balancer.object.vips ?? {}).length === 0 || leadsFromOvnEip(balancer, view);
    if (presence === 'absent' || isLeft === sparesNamed) return isLeft;
    return undefined;
  });
  return {
    spared: each.filter((it) => it === true).length,
    open: each.filter((it) => it === undefined).length,
  };
}

/** Whether the addresses of all its entries are OvnEips'; undefined where these are not known. */
function leadsFromOvnEip(
  { object: { vips = {} } }: Entity<'Load_Balancer'>,
  view: Consulted,
): boolean | undefined {
  const addresses = Object.keys(vips).map((vip) => tryParseIp(splitVip(vip)?.ip ?? ''));
  if (addresses.every((it) => it && view.has(ovnEipsByAddress, formatIp(it)))) return true;
  return view.knows('OvnEip') ? false : undefined;
}

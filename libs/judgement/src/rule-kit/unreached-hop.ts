import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { type Ip, tryParseIp } from '@ovn-steward/shared/address';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { blocksAround } from '../kube-ovn/blocks-around';
import { policyClaimsByBlock } from '../relations/policy-claims-by-block';
import { routerPortsByNetwork } from '../relations/router-ports-by-network';
import type { Entity } from '../world/entity';
import { unclaimed } from './facts';
import type { View } from './view';

export interface Reason {
  readonly text: string;
  readonly facts: readonly Fact[];
}

/** The first ten bits of `fe80::/10`: OVN reaches such a next hop by any port. */
const LINK_LOCAL = 0xfe80n >> 6n;

/**
 * Why OVN makes no flow of a static route (northd, find_static_route_outport): its next hop is in
 * no network of the router's ports, and it names no port. A next hop in a Subnet, whose router port
 * may be missing, is another finding; Subnets of the default VPC may be networks to the outside.
 */
export function whyLeadsNowhere(
  { object }: Entity<'Logical_Router_Static_Route'>,
  router: Entity<'Logical_Router'>,
  view: View<'Logical_Router_Port' | 'Subnet' | 'Node'>,
): Reason | undefined {
  const hop = String(object['nexthop'] ?? '');
  const ip = tryParseIp(hop);
  if (!ip || isLinkLocal(ip) || object['output_port'] !== undefined) return undefined;
  const isReached = blocksAround(ip).some(
    (block) =>
      view.has(routerPortsByNetwork, `${router.uid} ${block}`) ||
      [router.name, DEFAULT_VPC].some((vpc) => view.has(policyClaimsByBlock, `${vpc} ${block}`)),
  );
  if (isReached) return undefined;
  return {
    text: `no port of ${router.name} and no Subnet has a network with its next hop: OVN makes no flow of it`,
    facts: [
      unclaimed('Logical_Router_Port', `networks on router ${router.name}`, hop),
      unclaimed('Subnet', 'spec.cidrBlock', hop),
    ],
  };
}

const isLinkLocal = ({ value }: Ip): boolean => value >> 118n === LINK_LOCAL;

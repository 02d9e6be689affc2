import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { ovnEipsByAddress } from '../relations/ovn-eips-by-address';
import { ovnNatRulesByEip } from '../relations/ovn-nat-rules-by-eip';
import type { Entity } from '../world/entity';
import { splitVip } from '../kube-ovn/vips';
import type { View } from './view';

/** What a rule that calls `doubtOfDnat` reads. */
export const DNAT_KINDS = ['OvnEip', 'OvnFip', 'OvnSnatRule', 'OvnDnatRule'] as const;
type Consulted = View<(typeof DNAT_KINDS)[number]>;

/**
 * Why a balancer of a free name may belong to another owner than a deleted OvnDnatRule. That of a
 * rule is one port of the address of an OvnEip in each family, sent to one address (kube-ovn.md §1,
 * §3.5), and the rule took no other's place; one that has lost all entries leads nowhere (row 56).
 * @returns undefined when it has the form of a rule's, or no entry.
 */
export function doubtOfDnat(
  balancer: Entity<'Load_Balancer'>,
  view: Consulted,
): string | undefined {
  const entries = Object.entries(balancer.object.vips ?? {}).map(([vip, backends]) => ({
    vip,
    from: splitVip(vip),
    to: splitVip(backends),
  }));
  const families = entries.map(({ from }) => from && tryParseIp(from.ip)?.family);
  if (new Set(families).size < entries.length) return 'it has more than one entry of a family';
  for (const { vip, from, to } of entries) {
    const address = from && tryParseIp(from.ip);
    if (!address || !to)
      return `its entry ${JSON.stringify(vip)} does not lead from one address and port to one`;
    const eips = view.related(ovnEipsByAddress, formatIp(address));
    if (eips.length === 0) return `${formatIp(address)} is the address of no OvnEip`;
    const user = [`address ${formatIp(address)}`, ...eips.map((it) => it.name)]
      .flatMap((it) => view.related(ovnNatRulesByEip, it))
      .find((it) => uses(it, from.port));
    if (user) return `${user.kind} ${user.name} uses its address and port`;
  }
  return undefined;
}

/**
 * A floating IP takes the whole address; a DNAT rule its port, or any when it does not say which; a
 * SNAT rule none.
 */
function uses(
  { kind, object: { spec } }: Entity<'OvnFip'> | Entity<'OvnSnatRule'> | Entity<'OvnDnatRule'>,
  port: number,
): boolean {
  if (kind !== 'OvnDnatRule') return kind === 'OvnFip';
  const external = spec?.externalPort ?? '';
  return external === '' || Number(external) === port;
}

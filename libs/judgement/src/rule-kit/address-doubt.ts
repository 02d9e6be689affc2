import { formatIp } from '@ovn-steward/shared/address';
import { holdersByAddress } from '../relations/holders-by-address';
import { natRulesByTarget, TARGETING_KINDS } from '../relations/nat-rules-by-target';
import { podsByMachine } from '../relations/pods-by-machine';
import { addressClaimants, ownerText } from './address-claimants';
import { type HolderKind, holdingsOf } from '../kube-ovn/address-holders';
import { type ClaimantKind, claimsOf } from './claimants';
import type { Entity } from '../world/entity';
import { isReserved } from '../kube-ovn/reservation';
import type { View } from './view';

/** What a rule that would have an address record deleted reads beside those who may own it. */
export const ADDRESS_DOUBT_KINDS = ['IptablesEIP', ...TARGETING_KINDS] as const;

/** Records that are examined for one address; more of them keep it. */
const ENOUGH = 50;

type Targeting = (typeof TARGETING_KINDS)[number];

/**
 * What still leads to an address of the record through OVN, as `Kind name`: the next holder of the
 * address would get that traffic (kube-ovn.md §6.4 step 5).
 */
export const leadsTo = (ip: Entity<'IP'>, view: View<Targeting>): string | undefined =>
  targeting(ip, view)
    .filter((it) => !isOfGateway(it))
    .map((it) => `${it.kind} ${it.name}`)
    .sort()[0];

/**
 * Rules of NAT gateways that lead to an address of the record: they hold it for nobody, so it may
 * be leaked, but to free it would hand their traffic to its next holder. The same order always.
 */
export const gatewayRulesTo = (
  ip: Entity<'IP'>,
  view: View<Targeting>,
): readonly Entity<Targeting>[] =>
  targeting(ip, view)
    .filter(isOfGateway)
    .sort((one, other) => (`${one.kind} ${one.name}` < `${other.kind} ${other.name}` ? -1 : 1));

const isOfGateway = ({ kind }: Entity<Targeting>): boolean =>
  kind === 'IptablesFIPRule' || kind === 'IptablesDnatRule';

function targeting(ip: Entity<'IP'>, view: View<Targeting>): readonly Entity<Targeting>[] {
  const addresses = holdingsOf(ip).flatMap((it) => it.addresses.map(formatIp));
  const keys = [`name ${ip.name}`, ...addresses.map((it) => `address ${it}`)];
  return [...new Set(keys.flatMap((it) => view.related(natRulesByTarget, it)))];
}

type Consulted = View<ClaimantKind | HolderKind>;

/** Somebody else who lives and has an address of the record: deleting one of two records of an address frees it under the other (§6.4 step 5). Two that are equally dead are no doubt. */
export function otherHolder(ip: Entity<'IP'>, view: Consulted): string | undefined {
  for (const { subnet, addresses } of holdingsOf(ip)) {
    for (const address of addresses.map(formatIp)) {
      const others = view
        .related(holdersByAddress, `${subnet} ${address}`, ENOUGH)
        .filter((it) => it.uid !== ip.uid);
      const living =
        others.length >= ENOUGH - 1
          ? `more than ${ENOUGH - 2} others`
          : firstNamed(others.filter((it) => mayLive(it, view)));
      if (living !== undefined)
        return `nobody known owns ${ip.name}, yet ${living} holds ${address} as well: deleting either may free it under the other`;
    }
  }
  return undefined;
}

/** The same one whatever came first. */
const firstNamed = (all: readonly Entity<HolderKind>[]): string | undefined =>
  all.map(({ kind, name }) => `${kind} ${name}`).sort()[0];

/**
 * Whether another record of the address may be in use: any but an IP object whose owner is proven
 * absent as well.
 */
function mayLive(other: Entity<HolderKind>, view: Consulted): boolean {
  if (other.kind !== 'IP') return true;
  const ip = other as Entity<'IP'>;
  const claimants = addressClaimants(ip);
  if (typeof claimants === 'string' || isReserved(ip)) return true;
  const { by, unknown: doubtful } = claimsOf(claimants, view);
  return by !== undefined || doubtful.length > 0 || view.has(podsByMachine, ownerText(ip));
}

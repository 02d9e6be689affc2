import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { holdersByAddress } from '../relations/holders-by-address';
import { natRulesByTarget, TARGETING_KINDS } from '../relations/nat-rules-by-target';
import { podsByMachine } from '../relations/pods-by-machine';
import { addressClaimants, ownerText } from './address-claimants';
import { type HolderKind, holdingsOf } from '../kube-ovn/address-holders';
import { type ClaimantKind, claimsOf } from './claimants';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { type Entity, keyOf } from '../world/entity';
import { isReserved } from '../kube-ovn/reservation';
import { present } from './facts';
import type { Conflict } from './rule';
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
    .sort(ascendingBy((it) => `${it.kind} ${it.name}`));

const isOfGateway = ({ kind }: Entity<Targeting>): boolean =>
  kind === 'IptablesFIPRule' || kind === 'IptablesDnatRule';

function targeting(ip: Entity<'IP'>, view: View<Targeting>): readonly Entity<Targeting>[] {
  const addresses = holdingsOf(ip).flatMap((it) => it.addresses.map(formatIp));
  const keys = [`name ${ip.name}`, ...addresses.map((it) => `address ${it}`)];
  return [...new Set(keys.flatMap((it) => view.related(natRulesByTarget, it)))];
}

type Consulted = View<ClaimantKind | HolderKind>;

/** Another object that has an address of the record. */
interface Other {
  readonly address: string;
  readonly holder: Entity<HolderKind>;
}

/**
 * Who else may have an address of the record, though nothing shows that it does: deleting one of
 * two records of an address may free it under the other (§6.4 step 5). Two that are equally dead
 * are no doubt.
 */
export function otherHolder(ip: Entity<'IP'>, view: Consulted): string | undefined {
  const others = othersOf(ip, view);
  if (typeof others === 'string') return others;
  const doubtful = others
    .filter(({ holder }) => userOfOther(ip, holder, view) === 'unknown')
    .sort(byName)[0];
  return doubtful && doubtText(ip, `${textOf(doubtful.holder)} holds ${doubtful.address}`);
}

/**
 * Who is there and has an address of the record: the record is a leak all the same, and the address
 * is in use. To delete the record would free the address under its user.
 */
export function addressInUse(ip: Entity<'IP'>, view: Consulted): Conflict | undefined {
  const others = othersOf(ip, view);
  if (typeof others === 'string') return undefined;
  for (const { address, holder } of [...others].sort(byName)) {
    const user = userOfOther(ip, holder, view);
    if (user === 'unknown' || user === undefined) continue;
    const by = `${user.kind} ${keyOf(user)}`;
    const through = user.uid === holder.uid ? by : `${by} (${textOf(holder)})`;
    return {
      summary: `${through} uses ${address} as well: to delete the record may free the address under it, and is safe once ${by} has another address`,
      proof: [...new Map([holder, user].map((it) => [it.uid, present(it)])).values()],
    };
  }
  return undefined;
}

/** A sentence instead where they are too many. */
function othersOf(ip: Entity<'IP'>, view: Consulted): readonly Other[] | string {
  const found: Other[] = [];
  for (const { subnet, addresses } of holdingsOf(ip)) {
    for (const address of addresses.map(formatIp)) {
      const others = view
        .related(holdersByAddress, `${subnet} ${address}`, ENOUGH)
        .filter((it) => it.uid !== ip.uid);
      if (others.length >= ENOUGH - 1)
        return doubtText(ip, `more than ${ENOUGH - 2} others hold ${address}`);
      found.push(...others.map((holder) => ({ address, holder })));
    }
  }
  return found;
}

const doubtText = ({ name }: Entity<'IP'>, others: string): string =>
  `nobody known owns ${name}, yet ${others} as well: deleting either may free it under the other`;

const textOf = ({ kind, name }: Entity): string => `${kind} ${name}`;

/** The same one first, whatever came first. */
const byName = ascendingBy((it: Other) => `${textOf(it.holder)} ${it.address}`);

/**
 * Who uses the address of another record, as far as that is known. Undefined for an IP object whose
 * owner is proven absent as well; a Vip or an external address is its own user once its status has
 * the address, unless it was kept for the very port of the record.
 */
function userOfOther(
  ip: Entity<'IP'>,
  other: Entity<HolderKind>,
  view: Consulted,
): Entity | 'unknown' | undefined {
  if (isBeingDeleted(other)) return 'unknown';
  if (other.kind !== 'IP') {
    const isKeptFor = other.object.metadata.labels?.['ovn.kubernetes.io/ip_reserved'] === ip.name;
    const given = Object.values((other.object.status ?? {}) as Record<string, unknown>);
    return !isKeptFor && addressesIn(given, ip) ? other : 'unknown';
  }
  const record = other as Entity<'IP'>;
  const claimants = addressClaimants(record);
  if (typeof claimants === 'string' || isReserved(record)) return 'unknown';
  const { by, unknown: doubtful } = claimsOf(claimants, view);
  const user =
    by === undefined
      ? view.related(podsByMachine, ownerText(record))[0]
      : view.get(by.kind, by.key);
  if (user !== undefined) return user;
  return by !== undefined || doubtful.length > 0 ? 'unknown' : undefined;
}

/** Whether one of the values is an address of the record, in any spelling. */
function addressesIn(values: readonly unknown[], ip: Entity<'IP'>): boolean {
  const held = new Set(holdingsOf(ip).flatMap((it) => it.addresses.map(formatIp)));
  return values.some((value) => {
    const parsed = typeof value === 'string' ? tryParseIp(value) : undefined;
    return parsed !== undefined && held.has(formatIp(parsed));
  });
}

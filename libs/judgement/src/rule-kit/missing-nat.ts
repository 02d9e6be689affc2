import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { blockText } from '../kube-ovn/cidr';
import { MAKES } from '../kube-ovn/made-nat';
import { natsByAddress } from '../relations/nats-by-address';
import type { Entity, Kind } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { healthy, unknown, type Verdict, violation } from './rule';
import type { View } from './view';
import { present, unclaimed, value } from './facts';

/** What a rule that calls `missingNat` reads. */
export const MISSING_NAT_KINDS = ['NAT', 'Logical_Router'] as const satisfies readonly Kind[];
type Consulted = View<(typeof MISSING_NAT_KINDS)[number]>;

interface DesiredNat {
  readonly external: string;
  readonly logical: string;
}

/**
 * The verdict on a floating IP or SNAT rule that Kube-OVN calls ready, by whether its router has
 * the NAT of it in each family. The status is written after the NAT, and a ready rule is passed
 * over from then on, at each start and each edit (kube-ovn.md §7.3, row 53).
 */
export function missingNat(
  rule: Entity<'OvnFip'> | Entity<'OvnSnatRule'>,
  view: Consulted,
): Verdict {
  const { metadata, status } = rule.object;
  const vpc = status?.vpc ?? '';
  if (metadata.deletionTimestamp !== undefined || status?.ready !== true || vpc === '')
    return healthy;
  const type = MAKES[rule.kind]!;
  const missing = desiredNats(rule).filter((it) => !isThere(it, type, vpc, view));
  if (missing.length === 0) return healthy;
  if (view.presence('Logical_Router', vpc) !== 'present')
    return unknown(`${rule.kind} ${rule.name} is ready, and there is no router ${vpc}`);
  const list = missing.map(({ external, logical }) => `${external} for ${logical}`);
  return violation({
    summary: `${rule.kind} ${rule.name} is ready, and router ${vpc} has no NAT ${type} of ${list.join(', nor ')}`,
    proof: [
      present(rule),
      value(rule, 'status.ready', 'true'),
      value(rule, 'status.vpc', vpc),
      ...list.map((it) => unclaimed('NAT', `type ${type}, external_ip and logical_ip`, it)),
    ],
  });
}

/** What its status says it was given, in each family of which both sides are known. */
function desiredNats({
  object: { status },
}: Entity<'OvnFip'> | Entity<'OvnSnatRule'>): DesiredNat[] {
  const families = [
    { external: status?.v4Eip ?? '', logical: status?.v4Ip || status?.v4IpCidr || '' },
    { external: status?.v6Eip ?? '', logical: status?.v6Ip || status?.v6IpCidr || '' },
  ];
  return families.filter(({ external, logical }) => tryParseIp(external) && logical !== '');
}

/** A floating IP has its external address to itself; SNAT rules may share one. */
const isThere = (
  { external, logical }: DesiredNat,
  type: string,
  vpc: string,
  view: Consulted,
): boolean =>
  view
    .related(natsByAddress, formatIp(tryParseIp(external)!))
    .some(
      (nat) =>
        nat.object.type === type &&
        (type === MAKES['OvnFip'] ||
          blockText(nat.object.logical_ip ?? '') === blockText(logical)) &&
        parentsOf(nat).some(({ uid }) => view.identity('Logical_Router', uid)?.name === vpc),
    );

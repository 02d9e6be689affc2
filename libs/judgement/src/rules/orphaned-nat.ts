import { ascendingBy } from '@ovn-steward/shared/compare';
import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { recorded } from '../ownership/ownership';
import { natRulesByTarget, TARGETING_KINDS } from '../relations/nat-rules-by-target';
import { natUsersByAddress } from '../relations/nat-users-by-address';
import { ovnEipsByAddress } from '../relations/ovn-eips-by-address';
import { ovnNatRulesByEip } from '../relations/ovn-nat-rules-by-eip';
import type { Entity } from '../world/entity';
import { MAKES, mayHaveMade } from '../kube-ovn/made-nat';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unchanged, unclaimed, value } from '../rule-kit/facts';

/** What the controller writes in `status.nat` of the OvnEip when it makes that NAT. */
const STATUS_KEYS: Readonly<Record<string, string>> = { dnat_and_snat: 'fip', snat: 'snat' };

/**
 * A NAT on a router of Kube-OVN's whose external address is an OvnEip's, and that no rule and no
 * pod requests any more.
 *
 * A rule that is deleted before its finalizer came leaves its NAT forever (kube-ovn.md
 * rows 54 and 55). Kube-OVN puts no key on a NAT, so one of its own cannot be distinguished from
 * one made by hand on the same router. It is reported only when an OvnEip still has the address,
 * and its status still says that it is used for such a NAT; it is never removed without a person.
 * Of IPv6 the status says nothing: it counts rules by their IPv4 address, and the IPv6 NAT of an
 * OvnFip is what stays of one that was deleted in order.
 *
 * Releases before v1.16 write the option `staleless`, by a slip, into the NAT of an OvnFip, and
 * nobody else does: such a NAT is judged without an OvnEip, too.
 */
export default defineRule({
  id: 'orphaned-nat',
  class: 'garbage',
  severity: 'info',
  subject: 'NAT',
  reads: ['OvnEip', 'OvnSnatRule', 'Pod', 'Logical_Router', ...TARGETING_KINDS],
  about:
    'A NAT for the address of an OvnEip, or with the option that Kube-OVN wrote for an OvnFip before v1.16, that no OvnFip, OvnSnatRule or pod requests. Kube-OVN marks no NAT as its own, so a person must check. A restart does not remove it.',

  check(nat, view) {
    const { type = '', external_ip: external = '', logical_ip: logical = '' } = nat.object;
    const address = tryParseIp(external);
    if (!address || !Object.values(MAKES).includes(type)) return healthy;
    const isMarked = isOfFip(nat);
    const holders = view.related(ovnEipsByAddress, formatIp(address));
    const eips = holders.filter(
      (it) => isUsedFor(it, type) || (address.family === 6 && type === MAKES['OvnFip']),
    );
    if (eips.length === 0 && !isMarked) return healthy;
    const users = [
      ...view.related(natUsersByAddress, formatIp(address)),
      ...holders.flatMap((it) => view.related(ovnNatRulesByEip, it.name)),
    ];
    if (users.some((it) => mayRequest(it as Entity<'OvnFip'>, type, logical))) return healthy;
    // Without an OvnEip a rule shows its external address no more, but still where it leads.
    const leading = eips.length > 0 ? [] : targetsOf(nat);
    const rules = leading.flatMap((it) => view.related(natRulesByTarget, it));
    if (rules.some(({ kind }) => MAKES[kind] === type)) return healthy;
    const eip = [...eips].sort(ascendingBy((it) => it.name))[0];
    const owner = recorded(view.ownership(nat), eip ? `OvnEip ${eip.name}` : `option ${OPTION}`);
    if (!owner) return healthy;

    return violation({
      summary: `NAT ${type} ${external} for ${logical} is asked for by no OvnFip, OvnSnatRule or pod, though ${eip ? `${external} is the address of OvnEip ${eip.name}` : `its option ${OPTION} is what Kube-OVN writes for an OvnFip`}`,
      owner,
      concerns: eip ? [eip] : [],
      proof: [
        ...['OvnFip', 'OvnSnatRule', 'OvnDnatRule'].map((kind) =>
          unclaimed(kind as 'OvnFip', 'external and internal address', `${external} ${logical}`),
        ),
        unclaimed('Pod', 'metadata.annotations[ovn.kubernetes.io/eip]', external),
        unclaimed('Pod', 'metadata.annotations[ovn.kubernetes.io/snat]', external),
        value(nat, 'type', type),
        value(nat, 'external_ip', external),
        value(nat, 'logical_ip', logical),
        ...(eip
          ? [value(eip, 'status.nat', eip.object.status?.nat ?? ''), present(eip)]
          : [value(nat, 'options', JSON.stringify(optionsOf(nat)))]),
        unchanged(nat),
      ],
    });
  },
});

/** What releases before v1.16 write into the NAT of an OvnFip (pkg/controller/ovn_fip.go). */
const OPTION = 'staleless';

const optionsOf = ({ object }: Entity<'NAT'>): object => (object['options'] ?? {}) as object;
const isOfFip = (nat: Entity<'NAT'>): boolean => Object.hasOwn(optionsOf(nat), OPTION);

/** By which a rule would be found that leads to where the NAT does. */
function targetsOf({
  object: { logical_ip: logical = '', logical_port: port },
}: Entity<'NAT'>): string[] {
  const inside = tryParseIp(logical);
  return [...(inside ? [`address ${formatIp(inside)}`] : []), ...(port ? [`name ${port}`] : [])];
}

const isUsedFor = ({ object }: Entity<'OvnEip'>, type: string): boolean =>
  (object.status?.nat ?? '').split(',').includes(STATUS_KEYS[type]!);

/** Whether the rule or pod, which has the external address, may have had this NAT made. */
const mayRequest = (user: Entity<'OvnFip'>, type: string, logical: string): boolean =>
  (user.kind as string) === 'Pod' || mayHaveMade(user, type, logical);

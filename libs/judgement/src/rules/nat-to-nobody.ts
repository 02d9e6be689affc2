import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { recorded } from '../ownership/ownership';
import { natRulesByTarget } from '../relations/nat-rules-by-target';
import { natUsersByAddress } from '../relations/nat-users-by-address';
import { ovnEipsByAddress } from '../relations/ovn-eips-by-address';
import { FREE_ADDRESS_KINDS, freeIn, isFree } from '../rule-kit/free-address';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { parentsOf } from '../world/ovn-rows';
import { unchanged, unclaimed, value } from '../rule-kit/facts';

/**
 * A NAT on a router of Kube-OVN's that leads to an address of its subnet without a holder, and that
 * nothing requests.
 *
 * What a pod with `o/eip` or `o/snat` had made stays when the pod is deleted while the controller
 * is away, and the clean-up at its start fails by itself (kube-ovn.md §4.11, row 52). Kube-OVN puts
 * no key on a NAT, and people make them by hand, also for addresses that a program moves between
 * pods: worth a report, never a removal. An OvnEip's NAT is `orphaned-nat`'s.
 */
export default defineRule({
  id: 'nat-to-nobody',
  class: 'drift',
  severity: 'info',
  subject: 'NAT',
  reads: [...FREE_ADDRESS_KINDS, 'RouterLBRule', 'Vpc', 'Logical_Router'],
  about:
    'A NAT for an address of a Subnet that no pod, record or port has and no rule asks for: whatever gets that address next is reachable from outside. A restart does not remove it; check that nobody made it on purpose, and delete it from its router.',

  check(nat, view) {
    const { type = '', external_ip: external = '', logical_ip: logical = '' } = nat.object;
    const outer = tryParseIp(external);
    const inner = tryParseIp(logical);
    const [parent, second] = parentsOf(nat);
    if (!outer || !inner || !parent || second) return healthy;
    const keys = [outer, inner].map(formatIp);
    const holders =
      view.has(natUsersByAddress, keys[0]!) ||
      view.has(ovnEipsByAddress, keys[0]!) ||
      view.has(natRulesByTarget, `address ${keys[1]}`);
    const router = view.identity('Logical_Router', parent.uid)?.name ?? '';
    if (holders || view.presence('Vpc', router) !== 'present') return healthy;
    const subnet = freeIn(inner, router, view);
    const owner = subnet && recorded(view.ownership(nat), `Subnet ${subnet.name}`);
    if (!owner) return healthy;
    return violation({
      summary: `NAT ${type} ${external} on ${router} leads to ${logical} of subnet ${subnet.name}, which no record and no port has, and nothing asks for it`,
      owner,
      concerns: [subnet],
      proof: [
        unclaimed('OvnFip', 'external or internal address', `${external} ${logical}`),
        unclaimed('Pod', 'metadata.annotations[ovn.kubernetes.io/eip]', external),
        unclaimed('Pod', 'metadata.annotations[ovn.kubernetes.io/snat]', external),
        ...isFree(inner, subnet),
        value(nat, 'external_ip', external),
        value(nat, 'logical_ip', logical),
        unchanged(nat),
      ],
    });
  },
});

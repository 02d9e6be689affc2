import { isFromSpec } from '../rule-kit/router-policies';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { parentsOf } from '../world/ovn-rows';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unchanged, unclaimed, value } from '../rule-kit/facts';

/**
 * Of OVN-IC's controller, whose policies carry one key more, or an empty one (kube-ovn.md §3.3).
 */
const INTERCONNECTION = 29500;

/**
 * A policy on the default VPC's router that has Kube-OVN's tag and no other key, as those of
 * `spec.policyRoutes` have, and is in that spec no more.
 *
 * The controller compares the default Vpc with what it remembers of its former spec, so what leaves
 * the spec while it is away stays (kube-ovn.md §5, row 49; so in all releases from v1.12). On other
 * VPCs' routers each reconcile removes it. Every other policy of Kube-OVN's has a key that says
 * what it is for (§3.3). A person may have copied the tag.
 */
export default defineRule({
  id: 'stale-policy-route',
  class: 'drift',
  severity: 'info',
  subject: 'Logical_Router_Policy',
  reads: ['Vpc', 'Logical_Router'],
  about:
    "A policy on the default VPC's router that was made from the Vpc's policyRoutes and is no longer in them: it still sends traffic as the spec once said. A restart does not remove it; check that nothing needs it, and delete it by its priority and match.",

  check(policy, view) {
    const { external_ids: ids = {}, priority = 0, match = '' } = policy.object;
    if (ids['vendor'] !== 'kube-ovn' || Object.keys(ids).length > 1) return healthy;
    const [parent, second] = parentsOf(policy);
    if (priority === INTERCONNECTION || !parent || second) return healthy;
    const router = view.identity('Logical_Router', parent.uid);
    const vpc = router && view.get('Vpc', router.name);
    if (vpc?.object.status?.default !== true || isFromSpec(policy, view)) return healthy;
    if (isBeingDeleted(vpc)) return healthy;
    const owner = view.ownership(policy);
    if (owner.owner !== 'kube-ovn') return healthy;
    return violation({
      summary: `router policy ${priority} "${match}" on ${router!.name} is not among the policyRoutes of Vpc ${vpc.name}, and nothing else of Kube-OVN's says what it is for`,
      owner,
      proof: [
        unclaimed('Vpc', 'spec.policyRoutes, priority and match', `${priority} ${match}`),
        present(vpc),
        value(policy, 'external_ids', JSON.stringify(ids)),
        value(policy, 'match', match),
        unchanged(policy),
      ],
    });
  },
});

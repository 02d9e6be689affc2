import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import { isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { FOREIGN_ACLS, foreignAcls } from '../tallies/foreign-acls';
import { damagedRows } from '../relations/damaged-rows';
import type { View } from '../rule-kit/view';
import { value } from '../rule-kit/facts';

/** The first release that deletes them. */
const DELETES: Release = [1, 13, 15];
/** The first release that spares what is not its own. */
const SPARES: Release = [1, 14, 42];

/**
 * ACLs of others that Kube-OVN's controller deletes at its next start.
 *
 * v1.13.15 to v1.14.41 take every ACL without the key `parent` out of every port group and switch,
 * of any owner, and no flag spares them; this emptied the groups of Neutron (kube-ovn.md §4.17,
 * row 4; #5995). A controller whose image does not name a release is not judged.
 */
export default defineRule({
  id: 'acls-at-risk',
  class: 'damage',
  severity: 'critical',
  subject: 'Deployment',
  reads: ['ACL', 'Former_Row'],
  about:
    "Kube-OVN's controller has a release that deletes the ACLs of others at each start, which opens or closes what their security groups do not. Do not restart it before it is upgraded to v1.15 or later, and take a backup now (`steward backup`).",

  check(deployment, view) {
    const release = releaseOf(deployment);
    if (!isController(deployment) || release === undefined) return healthy;
    if (isOlderRelease(release, DELETES) || !isOlderRelease(release, SPARES)) return healthy;
    const count = view.tallied(foreignAcls, FOREIGN_ACLS.withoutParent)?.count ?? 0;
    const lost = lostAcls(view);
    if (count + lost === 0) return healthy;
    const text = deployment.object.spec?.template?.spec?.release ?? '';
    return violation({
      summary: `Kube-OVN ${text} (${deployment.namespace}/${deployment.name}) deletes ${count} ${count === 1 ? 'ACL' : 'ACLs'} of others when it starts${lost === 0 ? '' : `; ${lost} ${lost === 1 ? 'is' : 'are'} gone by now`}`,
      proof: [
        value(deployment, 'spec.template.spec.release', text),
        value(deployment, 'ACLs of others without the key parent', String(count)),
        ...(lost === 0 ? [] : [value(deployment, 'damaged ACLs of others', String(lost))]),
      ],
    });
  },
});

/**
 * Those that are gone already: that nothing is left to delete is no recovery. They count until they
 * are back (`neighbour-damaged`).
 */
const lostAcls = (view: View<'Former_Row'>): number =>
  view
    .related(damagedRows, 'damaged')
    .flatMap(({ object: { parts } }) => parts.filter((it) => it.gone && it.table === 'ACL')).length;

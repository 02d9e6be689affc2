import { ascendingBy } from '@ovn-steward/shared/compare';
import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { controllers, isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { present } from '../rule-kit/facts';

/**
 * Two controllers of Kube-OVN that run at once, in two namespaces.
 *
 * Who leads is settled by a Lease in the controller's own namespace (kube-ovn.md §0.1): across
 * namespaces both lead. Each gives out addresses by a memory of its own and removes what it does
 * not know.
 */
export default defineRule({
  id: 'two-controllers',
  class: 'drift',
  severity: 'critical',
  subject: 'Deployment',
  reads: [...CONTROLLER_KINDS],
  about:
    'Kube-OVN runs twice in one cluster: both controllers lead, give one address to two pods and remove what the other made. Scale one of them to nothing.',

  check(deployment, view) {
    if (!isController(deployment)) return healthy;
    const all = controllers(view)
      .filter((it) => it.object.spec?.replicas !== 0 && runs(it, view))
      .sort(ascendingBy((it) => it.namespace ?? ''));
    const others = all.filter((it) => it.namespace !== deployment.namespace);
    if (all[0]?.uid !== deployment.uid || others.length === 0) return healthy;
    return violation({
      summary: `Kube-OVN's controller runs in ${new Set(all.map((it) => it.namespace)).size} namespaces: ${all.map((it) => `${it.namespace}/${it.name}`).join(', ')}`,
      concerns: others,
      proof: [present(deployment), ...others.map((it) => present(it))],
    });
  },
});

/** Whether a pod of a controller runs in that namespace. */
const runs = (
  { namespace }: Entity<'Deployment'>,
  view: View<'Pod' | 'Deployment' | 'ReplicaSet' | 'StatefulSet'>,
): boolean =>
  view
    .related(kubeOvnControllers, KUBE_OVN_CONTROLLER)
    .some(
      (controller) =>
        controller.kind === 'Pod' &&
        controller.namespace === namespace &&
        (controller.object.status as { phase?: string } | undefined)?.phase === 'Running',
    );

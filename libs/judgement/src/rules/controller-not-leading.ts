import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { holderOf } from '../kube-ovn/lease-holder';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, value } from '../rule-kit/facts';

/**
 * Kube-OVN's controller is installed, and none leads.
 *
 * Who ends in order gives its Lease up, and who starts takes it within seconds (kube-ovn.md §0.1).
 * One that does not run serves no pod, and one that waits for a Node to be served never begins to
 * work (§0.2). A controller outside of the cluster holds the Lease, and so is none of this.
 */
export default defineRule({
  id: 'controller-not-leading',
  class: 'missing',
  severity: 'critical',
  subject: 'Deployment',
  reads: ['Lease', ...CONTROLLER_KINDS],
  about:
    "Kube-OVN's controller is installed and does not work: no pod of it runs, or none holds its Lease. Pods that are made or go meanwhile leave their network as it is, and what Kube-OVN has to finish, such as `delete-ip`, waits.",

  check(deployment, view) {
    if (!isController(deployment) || isBeingDeleted(deployment)) return healthy;
    const lease = view.get('Lease', `${deployment.namespace ?? ''}/${KUBE_OVN_CONTROLLER}`);
    if (!lease) return healthy;
    const holder = holderOf(lease);
    const replicas = deployment.object.spec?.replicas ?? 1;
    const running = view
      .related(kubeOvnControllers, KUBE_OVN_CONTROLLER)
      .filter((it) => it.kind === 'Pod' && it.namespace === deployment.namespace)
      .filter((it) => (it.object.status as { phase?: string } | undefined)?.phase === 'Running');
    if (holder !== '' && (replicas === 0 || running.length > 0)) return healthy;
    const because =
      replicas === 0
        ? 'it is scaled to nothing'
        : running.length === 0
          ? 'no pod of it runs'
          : `none of its ${running.length} running pods holds Lease ${lease.namespace}/${lease.name}`;
    return violation({
      summary: `Kube-OVN's controller ${deployment.namespace}/${deployment.name} does not work: ${because}`,
      concerns: [lease],
      proof: [
        present(deployment),
        value(lease, 'spec.holderIdentity', holder),
        value(deployment, 'running pods of it', String(running.length)),
      ],
    });
  },
});

import { isBeingDeleted } from '../kube-ovn/deletion';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { isController } from '../rule-kit/controller-flags';
import { leadingOf } from '../rule-kit/leading-controller';
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
    const leading = leadingOf(deployment, view);
    if (!leading || leading.leads) return healthy;
    const { lease, holder, replicas, running } = leading;
    const because =
      replicas === 0
        ? 'it is scaled to nothing'
        : running === 0
          ? 'no pod of it runs'
          : `none of its ${running} running pods holds Lease ${lease.namespace}/${lease.name}`;
    return violation({
      summary: `Kube-OVN's controller ${deployment.namespace}/${deployment.name} does not work: ${because}`,
      concerns: [lease],
      proof: [
        present(deployment),
        value(lease, 'spec.holderIdentity', holder),
        value(deployment, 'running pods of it', String(running)),
      ],
    });
  },
});

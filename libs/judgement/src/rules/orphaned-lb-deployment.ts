import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';
import { absent, unchanged, value } from '../rule-kit/facts';

/**
 * The Deployment that Kube-OVN created to answer for a Service of type LoadBalancer, which is
 * deleted.
 *
 * The controller deletes it with the Service, and at its start those whose Service is deleted
 * (kube-ovn.md §4.16, row 62): it is left when the controller was away, until its next start with
 * collection. Its pod keeps an address of the external network. The labels of its pods are the
 * controller's own form in every release from v1.12.
 */
export default defineRule({
  id: 'orphaned-lb-deployment',
  class: 'leak',
  severity: 'info',
  subject: 'Deployment',
  reads: ['Service'],
  about:
    'A Deployment that Kube-OVN made for a Service which no longer exists: its pod runs without use and keeps an address of the external network. A restart of the controller removes it, unless gc-interval is 0; or delete the Deployment.',

  check(deployment, view) {
    const { metadata, spec } = deployment.object;
    const service = /^lb-svc-(.+)$/.exec(deployment.name)?.[1];
    const labels = spec?.template?.metadata?.labels ?? {};
    if (service === undefined || metadata.deletionTimestamp !== undefined) return healthy;
    if (labels['service'] !== service || labels['namespace'] !== deployment.namespace)
      return healthy;
    const key = keyOf({ ...deployment, name: service });
    if ((metadata.ownerReferences ?? []).length > 0 || view.presence('Service', key) !== 'absent')
      return healthy;
    return violation({
      says: `Deployment ${keyOf(deployment)} was made for Service ${key}, which no longer exists`,
      proof: [
        absent('Service', key),
        value(deployment, 'spec.template.metadata.labels[service]', service),
        unchanged(deployment),
      ],
    });
  },
});

import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';
import { absent, unchanged, value } from '../rule-kit/facts';

const LOAD_BALANCER = 'LoadBalancer';

/**
 * The Deployment that Kube-OVN created to answer for a Service of type LoadBalancer, which is
 * deleted or of another type now.
 *
 * The controller deletes it with the Service, and at its start those whose Service is deleted
 * (kube-ovn.md §4.16, row 62): it is left when the controller was away, until its next start with
 * collection. Nothing looks for one of a Service whose type was changed, nor does it go with such a
 * Service (`handleDeleteService` asks for the type, v1.12 to master; seen beside v1.14.41 and
 * v1.15.24). Its pod keeps an address of the external network. The labels of its pods are the
 * controller's own form in every release from v1.12.
 */
export default defineRule({
  id: 'orphaned-lb-deployment',
  class: 'leak',
  severity: 'info',
  subject: 'Deployment',
  reads: ['Service'],
  about:
    'A Deployment that Kube-OVN made for a Service which no longer exists, or is not of type LoadBalancer any more: its pod keeps an address of the external network, and still leads from it to the Service. A restart of the controller removes it where the Service is gone, unless gc-interval is 0; else delete the Deployment.',

  check(deployment, view) {
    const { metadata, spec } = deployment.object;
    const service = /^lb-svc-(.+)$/.exec(deployment.name)?.[1];
    const labels = spec?.template?.metadata?.labels ?? {};
    if (service === undefined || metadata.deletionTimestamp !== undefined) return healthy;
    if (labels['service'] !== service || labels['namespace'] !== deployment.namespace)
      return healthy;
    const key = keyOf({ ...deployment, name: service });
    if ((metadata.ownerReferences ?? []).length > 0) return healthy;
    const its = value(deployment, 'spec.template.metadata.labels[service]', service);
    const found = view.get('Service', key);
    const type = found?.object.spec?.type ?? LOAD_BALANCER;
    if (found && type !== LOAD_BALANCER)
      return violation({
        summary: `Deployment ${keyOf(deployment)} was made for Service ${key}, which is of type ${type} now`,
        concerns: [found],
        proof: [value(found, 'spec.type', type), its, unchanged(deployment)],
      });
    if (view.presence('Service', key) !== 'absent') return healthy;
    return violation({
      summary: `Deployment ${keyOf(deployment)} was made for Service ${key}, which no longer exists`,
      proof: [absent('Service', key), its, unchanged(deployment)],
    });
  },
});

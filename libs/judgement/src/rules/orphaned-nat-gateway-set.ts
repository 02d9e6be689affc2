import { isBeingDeleted } from '../kube-ovn/deletion';
import { GATEWAY, GATEWAY_LABEL } from '../relations/nat-gateway-parts';
import { absent, unchanged, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';

/**
 * The StatefulSet that Kube-OVN created for a VpcNatGateway, which is deleted.
 *
 * The controller deletes it with the gateway, and at its start those whose gateway is deleted
 * (`handleDelVpcNatGw`, `gcVpcNatGateway` in pkg/controller, v1.12 to v1.16; kube-ovn.md row 24):
 * it is left when the controller was away, until its next start with collection. No finalizer holds
 * the gateway there. Its pod goes on translating, and keeps an address of the VPC and one of the
 * external network. The labels and the annotation of its pods are the controller's own in every
 * release. From v1.17-dev on the set has an owner, and Kubernetes deletes it with that.
 */
export default defineRule({
  id: 'orphaned-nat-gateway-set',
  class: 'leak',
  severity: 'info',
  subject: 'StatefulSet',
  reads: ['VpcNatGateway'],
  about:
    'A StatefulSet that Kube-OVN made for a VpcNatGateway which no longer exists: its pod still translates addresses, and keeps one of the VPC and one of the external network. A restart of the controller removes it, unless gc-interval is 0; or delete the StatefulSet.',

  check(set, view) {
    const { labels = {}, annotations = {} } = set.object.spec?.template?.metadata ?? {};
    const gateway = annotations[GATEWAY] ?? '';
    if (gateway === '' || labels[GATEWAY_LABEL] !== 'true' || labels['app'] !== set.name)
      return healthy;
    // The prefix is a setting of Kube-OVN's (`natGwNamePrefix` of ConfigMap ovn-vpc-nat-config).
    if (!set.name.endsWith(`-${gateway}`) || isBeingDeleted(set)) return healthy;
    if ((set.object.metadata.ownerReferences ?? []).length > 0) return healthy;
    if (view.presence('VpcNatGateway', gateway) !== 'absent') return healthy;
    return violation({
      summary: `StatefulSet ${keyOf(set)} was made for VpcNatGateway ${gateway}, which no longer exists`,
      proof: [
        absent('VpcNatGateway', gateway),
        value(set, `spec.template.metadata.annotations[${GATEWAY}]`, gateway),
        unchanged(set),
      ],
    });
  },
});

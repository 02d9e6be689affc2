import { isBeingDeleted } from '../kube-ovn/deletion';
import { SERVICE_VPC } from '../kube-ovn/service-vips';
import { absent, unchanged, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { keyOf } from '../world/entity';

/** On the pods of such a Deployment (`VpcLbLabel`, pkg/util/const.go). */
const OF_VPC_LB = 'ovn.kubernetes.io/vpc_lb';

/**
 * The Deployment that Kube-OVN created for a Vpc with the annotation `ovn.kubernetes.io/vpc_lb`,
 * which is deleted.
 *
 * The controller deletes it when it handles that the Vpc is gone, or asks for it no more
 * (`deleteVpcLb`, pkg/controller/vpc_lb.go, v1.12 to v1.17), and no start looks for one without a Vpc
 * (kube-ovn.md row 44). Name, label and annotation are the controller's own in each of them.
 */
export default defineRule({
  id: 'orphaned-vpc-lb-deployment',
  class: 'leak',
  severity: 'info',
  subject: 'Deployment',
  reads: ['Vpc'],
  about:
    'A Deployment that Kube-OVN made to reach the Services from a Vpc which no longer exists: its pod runs without use and keeps an address of a subnet and one of the external network. A restart of the controller does not remove it; delete the Deployment.',

  check(deployment, view) {
    const { labels = {}, annotations = {} } = deployment.object.spec?.template?.metadata ?? {};
    const vpc = annotations[SERVICE_VPC] ?? '';
    if (vpc === '' || labels[OF_VPC_LB] !== 'true' || deployment.name !== `vpc-${vpc}-lb`)
      return healthy;
    const { ownerReferences = [] } = deployment.object.metadata;
    if (isBeingDeleted(deployment) || ownerReferences.length > 0) return healthy;
    if (view.presence('Vpc', vpc) !== 'absent') return healthy;
    return violation({
      summary: `Deployment ${keyOf(deployment)} was made for Vpc ${vpc}, which no longer exists`,
      proof: [
        absent('Vpc', vpc),
        value(deployment, `spec.template.metadata.annotations[${SERVICE_VPC}]`, vpc),
        unchanged(deployment),
      ],
    });
  },
});

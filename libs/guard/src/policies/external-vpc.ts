import { refuses } from '../policy-kit/policy';
import { isExternalCel } from '../policy-kit/vpc-of-subnet';

/**
 * Such a Vpc mirrors a router of another system, such as Neutron. When it is deleted, Kube-OVN
 * deletes that router (kube-ovn.md §5, §7.3). Kube-OVN itself deletes the Vpc when the router no
 * longer exists: as the service account `ovn` in `kube-system` of its charts. Only that account is
 * allowed: in a namespace of their own, users may be able to create a service account named `ovn`.
 */
export default refuses({
  id: 'external-vpc',
  does: 'Refuses to delete a Vpc that mirrors somebody else’s router, since Kube-OVN would delete that router with it.',
  refusalReason: 'DeletionRefused',
  on: { operations: ['DELETE'], apiGroups: ['kubeovn.io'], resources: ['vpcs'] },
  onlyIf: {
    'mirrors-a-router': isExternalCel,
    'not-by-kube-ovn': "request.userInfo.username != 'system:serviceaccount:kube-system:ovn'",
  },
  passes: 'false',
  messageExpression:
    "'Vpc ' + oldObject.metadata.name + ' mirrors a router that belongs to somebody else, and Kube-OVN would delete that router with it. Once its owner has deleted the router, Kube-OVN removes this Vpc by itself.'",
  message:
    'This Vpc mirrors a router that belongs to somebody else, and Kube-OVN would delete that router with it.',
});

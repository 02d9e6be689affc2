import { refuses } from '../policy-kit/policy';
import { isExternalCel } from '../policy-kit/vpc-words';

/**
 * Such a Vpc mirrors a router of somebody else's, such as Neutron. Whoever deletes it has Kube-OVN delete that router (kube-ovn.md §5, §7.3). Kube-OVN
 * itself deletes it when the router is gone: as the service account `ovn` in `kube-system` of its charts, which alone is let through: anybody who may make a
 * service account in a namespace of theirs could call it `ovn`.
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
  says: "'Vpc ' + oldObject.metadata.name + ' mirrors a router that belongs to somebody else, and Kube-OVN would delete that router with it. Once its owner has deleted the router, Kube-OVN removes this Vpc by itself.'",
  otherwiseSays:
    'This Vpc mirrors a router that belongs to somebody else, and Kube-OVN would delete that router with it.',
});

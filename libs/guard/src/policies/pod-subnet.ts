import { SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';
import {
  boundSubnetsCel,
  choosesSubnetCel,
  guardedNamespaces,
  hasOwnNetworkCel,
} from '../policy-kit/gate-words';
import { refuses } from '../policy-kit/policy';

/**
 * CEL sees the pod and its namespace, and no Subnet: what a namespace is bound to is what Kube-OVN
 * last wrote on it. A namespace on which it wrote nothing yet is not judged, nor is a choice of
 * addresses, of a pool, or of an attached network's subnet. The subnet of the namespace's label
 * passes before the namespace is bound to it: pod-gate writes it on pods. Kube-OVN's own gateways
 * live in the subnets they serve, wherever their pods are (kube-ovn.md §6.6), and are let through
 * by their labels.
 */
export default refuses({
  id: 'pod-subnet',
  onlyByName: true,
  does: 'Refuses to create a pod that names a subnet which its namespace is not bound to.',
  refusalReason: 'PodRefused',
  on: { operations: ['CREATE'], apiGroups: [''], resources: ['pods'] },
  namespaceSelector: guardedNamespaces({
    key: 'ovn-steward.dev/any-subnet',
    operator: 'DoesNotExist',
  }),
  onlyIf: {
    'names-a-subnet': choosesSubnetCel,
    'has-its-own-network': hasOwnNetworkCel,
    'no-gateway-of-kube-ovn':
      "!has(object.metadata.labels) || !('ovn.kubernetes.io/vpc-nat-gw' in object.metadata.labels || 'ovn.kubernetes.io/vpc-egress-gateway' in object.metadata.labels)",
  },
  variables: {
    chosen: "object.metadata.annotations['ovn.kubernetes.io/logical_switch']",
    bound: boundSubnetsCel,
  },
  passes: `variables.bound.size() == 0 || variables.chosen in variables.bound || has(namespaceObject.metadata.labels) && '${SUBNET_LABEL}' in namespaceObject.metadata.labels && namespaceObject.metadata.labels['${SUBNET_LABEL}'] == variables.chosen`,
  messageExpression:
    "'this pod names subnet ' + variables.chosen + ', and namespace ' + namespaceObject.metadata.name + ' is bound to ' + variables.bound.join(', ') + ' only. Name one of these, or none, or add the namespace to spec.namespaces of the Subnet.'",
  message: 'This pod names a subnet which its namespace is not bound to.',
});

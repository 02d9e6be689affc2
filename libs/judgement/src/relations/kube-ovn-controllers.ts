import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { defineRelation } from '../world/relation';

/**
 * What runs kube-ovn-controller, or is to run it, under its one name: by the label of Kube-OVN's
 * charts or by what it is called (kube-ovn.md §0.2).
 */
export const kubeOvnControllers = defineRelation({
  id: 'kube-ovn-controllers',
  kinds: ['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  keys: ({ name, object: { metadata } }) =>
    name.startsWith(KUBE_OVN_CONTROLLER) || metadata.labels?.['app'] === KUBE_OVN_CONTROLLER
      ? [KUBE_OVN_CONTROLLER]
      : [],
});

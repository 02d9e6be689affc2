import { defineRelation } from '../world/relation';

const NAME = 'kube-ovn-controller';

/**
 * What runs kube-ovn-controller, or is to run it, under its one name: by the label of Kube-OVN's
 * charts or by what it is called (kube-ovn.md §0.2).
 */
export const kubeOvnControllers = defineRelation({
  id: 'kube-ovn-controllers',
  kinds: ['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  keys: ({ name, object: { metadata } }) =>
    name.startsWith(NAME) || metadata.labels?.['app'] === NAME ? [NAME] : [],
});

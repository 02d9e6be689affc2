import { subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { defineRelation } from '../world/relation';

/**
 * Namespaces by `<name> <subnet>`, for each subnet they are given: whether a pod is where it
 * belongs, without reading the rest.
 */
export const namespacesBySubnet = defineRelation({
  id: 'namespaces-by-subnet',
  kinds: ['Namespace'],
  keys: (namespace) => subnetsOfNamespace(namespace).map((it) => `${namespace.name} ${it}`),
});

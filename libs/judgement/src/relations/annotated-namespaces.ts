import { subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { defineRelation } from '../world/relation';

/** Under `any`: the namespaces that are given a subnet at all. Where none is, nobody gives them. */
export const annotatedNamespaces = defineRelation({
  id: 'annotated-namespaces',
  kinds: ['Namespace'],
  keys: (namespace) => (subnetsOfNamespace(namespace).length > 0 ? ['any'] : []),
});

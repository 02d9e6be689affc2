import { SUBNET_ANNOTATION } from '@ovn-steward/judgement/kube-ovn/namespace-subnets';

/** Namespaces whose pods must start for anything to become ready, ours among them. */
const NEVER_GUARDED = ['kube-system', 'kube-public', 'kube-node-lease', 'ovn-steward'] as const;

/** A LabelSelector of all namespaces but those, and which else it has to match. */
export const guardedNamespaces = (
  ...more: readonly object[]
): Readonly<Record<string, unknown>> => ({
  matchExpressions: [
    ...more,
    { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...NEVER_GUARDED] },
  ],
});

const LIST = SUBNET_ANNOTATION;

/**
 * CEL: the subnets the request's namespace is bound to, an empty list while Kube-OVN has not said
 * (kube-ovn.md §8.1). `namespaceObject` is not known in matchConditions.
 */
export const boundSubnetsCel = `has(namespaceObject.metadata.annotations) && '${LIST}' in namespaceObject.metadata.annotations ? namespaceObject.metadata.annotations['${LIST}'].split(',').filter(it, it != '') : []`;

/** CEL: whether the pod names a subnet itself. */
export const choosesSubnetCel = `has(object.metadata.annotations) && '${LIST}' in object.metadata.annotations && object.metadata.annotations['${LIST}'] != ''`;

/** CEL: whether the pod gets an address of its own. */
export const hasOwnNetworkCel = '!has(object.spec.hostNetwork) || object.spec.hostNetwork != true';

/** On a Vpc that mirrors a router of somebody else's, such as Neutron (kube-ovn.md §2). */
export const EXTERNAL = 'ovn.kubernetes.io/vpc_external';

/** CEL: whether the Vpc that is to be deleted is such a mirror. */
export const isExternalCel = `has(oldObject.metadata.labels) && '${EXTERNAL}' in oldObject.metadata.labels && oldObject.metadata.labels['${EXTERNAL}'] == 'true'`;

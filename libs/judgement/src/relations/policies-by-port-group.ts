import { defineRelation } from '../world/relation';

/**
 * Network policies by the port group Kube-OVN makes for them: `<policy>.<namespace>` with `-`
 * written as `.`, and `np` before a name that does not begin with a letter (kube-ovn.md §3.4). Two
 * policies may share a group without knowing it.
 */
export const policiesByPortGroup = defineRelation({
  id: 'policies-by-port-group',
  kinds: ['NetworkPolicy'],
  keys: ({ name, namespace = '' }) => [
    `${/^\p{L}/u.test(name) ? '' : 'np'}${name}.${namespace}`.replaceAll('-', '.'),
  ],
});

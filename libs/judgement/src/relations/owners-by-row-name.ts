import { ADMIN_POLICY_KINDS, groupOfAdminPolicy } from '../kube-ovn/admin-policies';
import { flatten, portGroupOfSecurityGroup, prefixedNames } from '../ownership/grammar/names';
import { defineRelation } from '../world/relation';

/**
 * Objects by the name of the port group or the stem of the address sets Kube-OVN makes for them
 * (kube-ovn.md §3.4). `-` becomes `.` there, so two objects may share one row, and its keys name
 * one of them only. For the group that a subnet and a node share see `nodeGroupHalves`.
 */
export const ownersByRowName = defineRelation({
  id: 'owners-by-row-name',
  kinds: [
    'NetworkPolicy',
    'SecurityGroup',
    'IPPool',
    'Node',
    'Subnet',
    'Vpc',
    ...ADMIN_POLICY_KINDS,
  ],
  keys: ({ kind, namespace = '', name }) => {
    const flat = flatten(name);
    switch (kind) {
      case 'NetworkPolicy':
        return prefixedNames('np', name).map((it) => flatten(`${it}.${namespace}`));
      case 'SecurityGroup':
        return [portGroupOfSecurityGroup(name)];
      case 'IPPool':
        return [flat];
      case 'Node':
        return [`node.${flat}`];
      case 'Subnet':
        return [`${flat}.u2o_exclude_ip`];
      case 'Vpc':
        return [`${flat}.u2o_overlay_cidrs`];
      default:
        return [groupOfAdminPolicy({ kind, name })];
    }
  },
});

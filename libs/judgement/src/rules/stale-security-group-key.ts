import type { StringMap } from '../world/ovn-rows';
import {
  BUILT_IN_GROUPS,
  LISTED_GROUPS,
  listedGroupsOf,
  memberKeysOf,
} from '../kube-ovn/security-groups';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, value } from '../rule-kit/facts';

/**
 * A port that says it is in a security group that does not exist.
 *
 * Kube-OVN does not clean the keys of ports when a SecurityGroup is deleted (kube-ovn.md §4.8, row
 * 68), and writes the key of a group that was never made where a pod's annotation names it
 * (`reconcilePortSg` in pkg/controller/security_group.go). Such a key has no effect until somebody
 * makes a group of that name, which then takes the port in. Of a living pod's port none of
 * whose groups exists, and whose traffic is dropped, see `denied-port-without-security-group`.
 */
export default defineRule({
  id: 'stale-security-group-key',
  class: 'drift',
  severity: 'info',
  subject: 'Logical_Switch_Port',
  reads: ['SecurityGroup', 'Logical_Switch'],
  about:
    'A port with the key of a SecurityGroup that does not exist: it was deleted, or a pod names one that was never made. A new group of that name would take the port in. A restart does not remove the key.',

  check(port, view) {
    const missing = groupsNamed(port.object.external_ids ?? {})
      .map(({ key, names }) => ({
        key,
        names: names.filter((it) => view.presence('SecurityGroup', it) !== 'present'),
      }))
      .filter(({ names }) => names.length > 0);
    if (missing.length === 0) return healthy;
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;
    if (!view.knows('SecurityGroup')) return unknown('not known which security groups exist');

    return violation(
      ...missing.map(({ key, names }) => ({
        summary: `port ${port.name} has the key ${key} of SecurityGroup ${names.join(', ')}, which does not exist`,
        owner,
        part: { column: 'external_ids', key },
        proof: [
          ...names.map((it) => absent('SecurityGroup', it)),
          value(port, `external_ids[${key}]`, port.object.external_ids![key]!),
        ],
      })),
    );
  },
});

/**
 * The groups a port says it is in, by the key that names them. `security_groups` stands for those
 * that have no `associated_sg_` key of their own. A new port has the blanks of its pod's annotation
 * in both.
 */
function groupsNamed(ids: StringMap): { key: string; names: string[] }[] {
  const own = memberKeysOf(ids)
    .filter(({ group }) => !BUILT_IN_GROUPS.has(group))
    .map(({ key, group }) => ({ key, names: [group] }));
  const listed = listedGroupsOf(ids).filter(
    (it) => !BUILT_IN_GROUPS.has(it) && !own.some(({ names }) => names[0] === it),
  );
  return listed.length > 0 ? [...own, { key: LISTED_GROUPS, names: [...new Set(listed)] }] : own;
}

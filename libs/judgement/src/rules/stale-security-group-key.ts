import type { StringMap } from '../world/ovn-rows';
import { BUILT_IN_GROUPS } from '../kube-ovn/policy-readings';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, value } from '../rule-kit/facts';

const ASSOCIATED = 'associated_sg_';
const LISTED = 'security_groups';

/**
 * A port that still says it is in a security group that no longer exists.
 *
 * Kube-OVN does not clean the keys of ports when a SecurityGroup goes (kube-ovn.md §4.8, row 68).
 * They do nothing until somebody makes a group of that name: it then takes the port in unasked.
 */
export default defineRule({
  id: 'stale-security-group-key',
  class: 'drift',
  severity: 'info',
  subject: 'Logical_Switch_Port',
  reads: ['SecurityGroup', 'Logical_Switch'],
  about:
    'A port with the key of a SecurityGroup that no longer exists. A new group of that name would take the port in. A restart does not remove the key.',

  check(port, view) {
    const said = groupsSaid(port.object.external_ids ?? {});
    const gone = said
      .map(({ key, names }) => ({
        key,
        names: names.filter((it) => view.presence('SecurityGroup', it) !== 'present'),
      }))
      .filter(({ names }) => names.length > 0);
    if (gone.length === 0) return healthy;
    const owner = view.ownership(port);
    if (owner.owner !== 'kube-ovn') return healthy;
    if (!view.knows('SecurityGroup')) return unknown('not known which security groups exist');

    return violation(
      ...gone.map(({ key, names }) => ({
        says: `port ${port.name} still has the key ${key} of SecurityGroup ${names.join(', ')}, which no longer exists`,
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
 * The groups a port says it is in, by the key that says so; the list counts for those without a key
 * of their own.
 */
function groupsSaid(ids: StringMap): { key: string; names: string[] }[] {
  const wanted = (name: string): boolean => name !== '' && !BUILT_IN_GROUPS.has(name);
  const own = Object.keys(ids)
    .filter((key) => key.startsWith(ASSOCIATED) && ids[key] === 'true')
    .map((key) => ({ key, names: [key.slice(ASSOCIATED.length)].filter(wanted) }));
  const listed = Object.hasOwn(ids, LISTED)
    ? ids[LISTED]!.split('/').filter(
        (it) => wanted(it) && !own.some(({ names }) => names[0] === it),
      )
    : [];
  return listed.length > 0 ? [...own, { key: LISTED, names: [...new Set(listed)] }] : own;
}

import { hasPhysicalGateway } from '../kube-ovn/physical-gateway';
import { ownersOfPolicy, ROUTER_POLICY_OWNER_KINDS } from '../rule-kit/router-policies';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { absentRow, present, value } from '../rule-kit/facts';

/** Address sets of a match in the form that Kube-OVN writes, which has no quotes or comments. */
const SETS = /\$([A-Za-z0-9_.]+)(?=$|[\s)},])/g;

/** ovn-northd makes these two sets of the members of each port group. */
const OF_GROUP = /^(.+)_ip[46]$/;

/**
 * A router policy of a living subnet or node whose match names an address set that does not exist.
 *
 * ovn-controller leaves out a policy whose match it cannot resolve. Those of interconnected
 * underlay subnets (U2O) and of distributed subnets name sets and port groups, which releases
 * up to v1.15.16 and v1.16.0 to v1.16.2 delete at each start (kube-ovn.md §4.8, row 11);
 * Kube-OVN makes the set before the policy, in all releases. Policies of VpcEgressGateways are
 * another finding.
 */
export default defineRule({
  id: 'router-policy-without-set',
  class: 'drift',
  severity: 'critical',
  subject: 'Logical_Router_Policy',
  reads: ['Port_Group', 'Address_Set', 'Subnet', 'Node'],
  consults: [...ROUTER_POLICY_OWNER_KINDS],
  about:
    'A router policy of a living Subnet or Node that names an address set or port group which does not exist: OVN leaves the policy out, and its traffic takes another route. An edit of the Subnet or a restart of the controller creates it again, except up to v1.15.16 and in v1.16.0 to v1.16.2, which delete such groups: upgrade.',

  check(policy, view) {
    const { match = '', external_ids: ids = {}, priority = 0 } = policy.object;
    if (ids['vendor'] !== 'kube-ovn' || !match.includes('$')) return healthy;
    const owners = ownersOfPolicy(policy).filter(
      ({ kind }) => kind === 'Subnet' || kind === 'Node',
    );
    const entities = owners.flatMap(({ kind, key }) => view.get(kind, key) ?? []);
    const areAlive = entities.every((it) => it.object.metadata.deletionTimestamp === undefined);
    if (owners.length === 0 || entities.length < owners.length || !areAlive) return healthy;
    const isOfNode = owners.length > 1 && !Object.hasOwn(ids, 'isU2ORoutePolicy');
    // It is stale, and the group rightly gone: that is another finding.
    const subnets = entities.filter((it): it is Entity<'Subnet'> => it.kind === 'Subnet');
    if (isOfNode && subnets.some(hasPhysicalGateway)) return healthy;
    const missing = setsIn(match).filter((it) => isMissing(it, view));
    if (missing.length === 0) return healthy;
    const whose = entities.map((it) => `${it.kind} ${it.name}`).join(' and ');
    return violation({
      summary: `router policy ${priority} "${match}" of ${whose} has no effect: there is no address set ${missing.join(', and none called ')}`,
      owner: view.ownership(policy),
      concerns: entities,
      proof: [
        value(policy, 'match', match),
        ...entities.map(present),
        ...missing.flatMap((set) => [
          absentRow('Address_Set', set),
          ...(groupOf(set) === undefined ? [] : [absentRow('Port_Group', groupOf(set)!)]),
        ]),
      ],
    });
  },
});

/** The sets that the match names, each once; none of a match that cannot be read in full. */
function setsIn(match: string): readonly string[] {
  const found = [...match.matchAll(SETS)].map(([, name]) => name!);
  const isWhole = found.length === match.split('$').length - 1 && !/"|\/[/*]/.test(match);
  return isWhole ? [...new Set(found)] : [];
}

const groupOf = (set: string): string | undefined => OF_GROUP.exec(set)?.[1];

function isMissing(set: string, view: View<'Port_Group' | 'Address_Set'>): boolean {
  const group = groupOf(set);
  return (
    view.presence('Address_Set', set) === 'absent' &&
    (group === undefined || view.presence('Port_Group', group) === 'absent')
  );
}

import type { IpFamily } from '@ovn-steward/shared/address';
import { blockText, tryParseCidr } from '../kube-ovn/cidr';
import { aclsByDirection } from '../relations/acls-by-direction';
import { policiesByPortGroup } from '../relations/policies-by-port-group';
import { portsByGroup } from '../relations/ports-by-group';
import { CONTROLLER_KINDS, type ControllerKind } from '../rule-kit/controller';
import { ignoresPolicies } from '../rule-kit/controller-flags';
import { present, unclaimed } from '../rule-kit/facts';
import {
  areInSet,
  FAMILIES,
  hasAddressOf,
  isInSet,
  namesBlock,
  POLICY_DIRECTIONS,
  type PolicyDirection,
  portTerm,
  withoutAcl,
  termsOf,
} from '../rule-kit/policy-acls';
import { defineRule, healthy, violation, type Violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import type { NetworkPolicyPeer, NetworkPolicyPort } from '../world/kubernetes-objects';

type Sees = View<ControllerKind | 'ACL' | 'Port_Group' | 'Address_Set' | 'Logical_Switch_Port'>;

/** A rule of the policy in a direction, and the ACLs of that direction in the policy's group. */
interface Allowed {
  readonly policy: Entity<'NetworkPolicy'>;
  readonly group: Entity<'Port_Group'>;
  readonly direction: PolicyDirection;
  readonly index: number;
  readonly ports: readonly NetworkPolicyPort[];
  readonly peers: readonly NetworkPolicyPeer[];
  readonly blocks: readonly string[];
  readonly acls: readonly Entity<'ACL'>[];
}

/** The peers of a rule that names none. */
const EVERYBODY = ['0.0.0.0/0', '::/0'];

/** Enough to see which address families the pods of a policy have. */
const SOME_PORTS = 8;

/**
 * A port or an `ipBlock` of a rule of a network policy, of which no ACL is there while the others
 * of the policy are.
 *
 * Kube-OVN makes an ACL of each port of a rule, or one that names none, for each family of its pods
 * (kube-ovn.md §3.4). The peers of the rule are an address set, which has `0.0.0.0/0` or `::/0` in it
 * where the rule names none; from v1.15 on an `ipBlock` is written into the match.
 * That it does is shown by the ACL that drops, wherever its controller runs. A rule none of whose
 * ACLs is there is what `network-policy-without-acls` reports.
 */
export default defineRule({
  id: 'network-policy-allow-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'NetworkPolicy',
  reads: [...CONTROLLER_KINDS, 'Port_Group', 'ACL', 'Address_Set', 'Logical_Switch_Port'],
  about:
    'A NetworkPolicy allows a port or an `ipBlock`, and no ACL of its port group does: this traffic is dropped, while other traffic of the same policy passes. A restart of the controller or an edit of the policy creates the ACL again.',

  check(policy, view) {
    const { metadata, spec } = policy.object;
    if (metadata.deletionTimestamp !== undefined || ignoresPolicies(view)) return healthy;
    const group = view.get('Port_Group', policiesByPortGroup.keys(policy)[0]!);
    if (!group || !view.has(portsByGroup, group.uid)) return healthy;
    const found = POLICY_DIRECTIONS.filter(({ type }) => spec?.policyTypes?.includes(type)).flatMap(
      (direction) => {
        // Without the ACL that drops, the policy is not enforced at all, and nothing is lost.
        if (!view.has(aclsByDirection, `${group.uid} ${direction.acls} drop`)) return [];
        const acls = view.related(aclsByDirection, `${group.uid} ${direction.acls}`);
        return (spec?.[direction.rules] ?? []).flatMap((rule, index) => {
          const peers = rule[direction.peers] ?? [];
          const blocks =
            peers.length === 0 ? EVERYBODY : peers.flatMap((it) => it.ipBlock?.cidr ?? []);
          const allowed = {
            policy,
            group,
            direction,
            index,
            ports: rule.ports ?? [],
            peers,
            blocks,
            acls,
          };
          return [...portsOfSets(allowed, view), ...portsOfBlocks(allowed, view)];
        });
      },
    );
    return violation(...found);
  },
});

/** The ports without an ACL for an address set of the rule that other ACLs of it name. */
const portsOfSets = (allowed: Allowed, view: Sees): Violation[] =>
  FAMILIES.flatMap((family) => {
    const set = setOf(allowed, family);
    const term = `ip${family}.${allowed.direction.end} == $${set}`;
    const acls = allowed.acls.filter((it) => termsOf(it).includes(term));
    const missed = acls.length === 0 ? [] : missingPorts(allowed, acls, `$${set}`);
    const isFor =
      missed.length > 0 && areInSet(allowed.peers, addressesOfSet(allowed, family, view));
    return isFor ? missed : [];
  });

/**
 * The blocks, or ports of them, without an ACL. A block of a family that none of the pods has needs
 * none.
 */
function portsOfBlocks(allowed: Allowed, view: Sees): Violation[] {
  if (allowed.ports.length > 0 && allowed.ports.every((it) => portTerm(it) === undefined))
    return [];
  return allowed.blocks.flatMap((cidr) => {
    const family = tryParseCidr(cidr)?.range.family;
    if (family === undefined || isInSet(cidr, addressesOfSet(allowed, family, view))) return [];
    const field = `ip${family}.${allowed.direction.end}`;
    const acls = allowed.acls.filter((it) => namesBlock(it, field, blockText(cidr)));
    if (acls.length > 0) return missingPorts(allowed, acls, cidr);
    return hasPodsOf(allowed.group, family, view) ? [missing(allowed, cidr)] : [];
  });
}

const setOf = ({ group, direction, index }: Allowed, family: IpFamily): string =>
  `${group.name}.${direction.rules}.allow.IPv${family}.${index}`;

/** The addresses of the rule's set. */
const addressesOfSet = (allowed: Allowed, family: IpFamily, view: Sees) =>
  view.get('Address_Set', setOf(allowed, family))?.object.addresses;

const hasPodsOf = (group: Entity<'Port_Group'>, family: IpFamily, view: Sees): boolean =>
  view.related(portsByGroup, group.uid, SOME_PORTS).some((it) => hasAddressOf(it, family));

const missingPorts = (
  allowed: Allowed,
  acls: readonly Entity<'ACL'>[],
  peer: string,
): Violation[] =>
  withoutAcl(allowed.ports.map(portTerm), acls).map((term) => missing(allowed, peer, term));

function missing(
  { policy, group, direction, index }: Allowed,
  peer: string,
  port?: string,
): Violation {
  const what = port === undefined ? peer : `${port} of ${peer}`;
  return {
    summary: `${direction.rules} rule ${index} of NetworkPolicy ${keyOf(policy)} allows ${what}, and no ACL of port group ${group.name} does`,
    part: { column: `spec.${direction.rules}`, key: `${index} ${what}` },
    concerns: [group],
    proof: [
      present(policy),
      present(group),
      unclaimed(
        'ACL',
        'port group, direction and match',
        `${group.name} ${direction.acls} ${what}`,
      ),
    ],
  };
}

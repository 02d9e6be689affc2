import { ascendingBy } from '@ovn-steward/shared/compare';
import { podsByMachine } from '../relations/pods-by-machine';
import { portAddresses } from '../relations/ports-by-address';
import { switchRulesByVip } from '../relations/switch-rules-by-vip';
import type { Entity } from '../world/entity';
import type { Claimant, Claims } from '../rule-kit/claimants';
import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { addressClaimants } from '../rule-kit/address-claimants';
import { ADDRESS_DOUBT_KINDS } from '../rule-kit/address-doubt';
import {
  CLAIMANT_KINDS,
  RARE_CLAIMANT_KINDS,
  claimsOf,
  workloadClaimants,
} from '../rule-kit/claimants';
import { referenceTo } from '../world/entity';
import { CLAIM_KINDS, type DeadClaim, HELD, heldUp } from '../rule-kit/dead-claim';
import { leakOf } from '../rule-kit/leaked-address';
import { isReserved } from '../kube-ovn/reservation';
import { subnetClaimant, subnetOfQuerier } from '../rule-kit/subnet-own-address';
import { defineRule, healthy, unknown, type Verdict, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, present, unchanged, value } from '../rule-kit/facts';
import type { View } from '../rule-kit/view';

/**
 * A logical switch port whose owner is deleted and that nothing will use again.
 *
 * Kube-OVN makes one port per pod interface and removes it with the pod. When it misses that delete
 * (a restart, a lost watch event) the port stays: its address stays taken and northd keeps
 * compiling flows for it. Machines, sets within their replica range, reserved addresses, Vips,
 * nodes, node gateways and multicast queriers keep their ports without any pod (kube-ovn.md §3.1,
 * §6.3, §11.2). A port whose address record leaked with it is a part of that finding (`leaked-ip`);
 * it has one of its own where there is no record, or one that is being deleted.
 */
export default defineRule({
  id: 'orphaned-logical-switch-port',
  class: 'garbage',
  severity: 'warning',
  subject: 'Logical_Switch_Port',
  reads: [...CLAIMANT_KINDS, ...ADDRESS_DOUBT_KINDS, 'Logical_Switch'],
  consults: [...RARE_CLAIMANT_KINDS, ...CLAIM_KINDS],
  about:
    'A switch port whose pod, machine, node or other owner no longer exists. Its address stays taken until the port is removed. Kube-OVN’s periodic collection removes it in its second round, if the key `ls` names its switch; a restart begins those rounds anew.',
  remedy: 'delete-logical-switch-port',

  check(port, view) {
    // Router, localnet, virtual, remote … ports never belong to a pod; virtual ports of Vips vanish
    // and return by themselves.
    if ((port.object.type ?? '') !== '') return healthy;
    const ip = view.get('IP', port.name);
    // Whom the IP object of the same name was made for: normally the same owner, and if not, that
    // one counts too.
    const recorded = ip ? addressClaimants(ip) : [];
    const claimants = [...claimantsOf(port), ...(typeof recorded === 'string' ? [] : recorded)];
    const claims = claimsOf(claimants, view);
    if (claims.by || view.has(podsByMachine, servedBy(port))) return healthy;
    // The controller removes whatever port has the name of an IP object that goes.
    const hasNamesake = view.named('Logical_Switch_Port', port.name).length > 1 && ip !== undefined;
    // Checked after the claims, though it decides first: nearly every port is claimed, and this
    // reads all its neighbours.
    const owner = view.ownership(port);
    if (owner.verdict !== 'candidate') return healthy;

    if (claimants.length === 0) return unknown(`port ${port.name} does not say whom it serves`);
    if (claims.unknown.length > 0)
      return unknown(`not known whether these exist: ${claims.unknown.join(', ')}`);
    // northd sets `up` while a chassis has an interface with this port's id: the port is in use,
    // whatever its owner.
    const dead = heldUp(port, view);
    if (dead === HELD)
      return unknown(`nobody known owns port ${port.name}, yet a chassis still holds it up`);

    if (typeof recorded === 'string') return unknown(recorded);
    const leak = ip && leakOf(ip, view);
    // One cause and one remedy are one finding: the record's, which concerns this port.
    if (leak?.is === 'leaked') return healthy;
    if (leak?.is === 'unknown') return unknown(leak.reason);
    if (ip !== undefined && !isBeingDeleted(ip))
      return unknown(`nobody known owns port ${port.name}, yet its address record is kept`);
    if (hasNamesake) return unknown(`there is another port ${port.name}`);
    const rule = answeredBy(port, view);
    if (rule)
      return unknown(
        `nobody known owns port ${port.name}, yet ${rule.kind} ${rule.name} has its address`,
      );

    return orphaned(port, { owner, ip, claims, dead });
  },
});

/** The port of a typed Vip makes its switch reach the address that such a rule answers. */
const answeredBy = (port: Entity<'Logical_Switch_Port'>, view: View<'SwitchLBRule'>) =>
  portAddresses(port)
    .flatMap((it) => view.related(switchRulesByVip, it))
    .sort(ascendingBy((it) => it.uid))[0];

interface Evidence {
  readonly owner: Ownership;
  readonly ip: Entity<'IP'> | undefined;
  readonly claims: Claims;
  readonly dead: DeadClaim | undefined;
}

const orphaned = (
  port: Entity<'Logical_Switch_Port'>,
  { owner, ip, claims, dead }: Evidence,
): Verdict =>
  violation({
    summary: `port ${port.name} serves ${servedBy(port)}, which no longer exists${dead ? `; it counts as up, yet ${dead.clause}` : ''}`,
    owner,
    concerns: ip ? [ip] : [],
    proof: [
      ...claims.absent.filter((it) => it.kind !== 'IP').map((it) => absent(it.kind, it.key)),
      ...claims.declined.filter((it) => it.kind !== 'IP').map((it) => present(it)),
      value(port, 'external_ids', JSON.stringify(port.object.external_ids ?? {})),
      ...(dead?.proof ?? []),
      unchanged(port),
    ],
    // The controller removes the port with a record that is being deleted; where it does not, that
    // is `stuck-ip-deletion`. The executor does not read the Southbound, and could not prove that
    // no chassis holds it.
    ...(ip === undefined &&
      dead === undefined && {
        remedy: {
          action: 'delete-logical-switch-port',
          target: referenceTo(port),
          advice: `remove the port from its switch; no IP object of that name is left to do it`,
        },
      }),
  });

/**
 * Everyone who could want the port, in both name forms and whatever provider suffix the port
 * carries.
 */
function claimantsOf(port: Entity<'Logical_Switch_Port'>): Claimant[] {
  const ids = port.object.external_ids ?? {};
  const name = port.name;
  // An address may be reserved for a pod that does not exist yet (label ip_reserved=true on the IP
  // object of that name).
  const reserved: Claimant = {
    kind: 'IP',
    key: name,
    claims: (found) => isReserved(found as Entity<'IP'>),
  };
  // A node's external gateway port is named after its OvnEip, a typed Vip's after the Vip and its
  // namespace.
  const byName: Claimant[] = [
    { kind: 'OvnEip', key: name },
    { kind: 'Vip', key: name },
  ];
  const pod = Object.hasOwn(ids, 'pod') ? ids['pod']! : '';
  const slash = pod.indexOf('/');
  if (slash > 0) {
    const namespace = pod.slice(0, slash);
    const served = pod.slice(slash + 1);
    return [
      ...workloadClaimants(namespace, served),
      { kind: 'Vip', key: served },
      ...querier(served),
      ...byName,
      reserved,
    ];
  }
  if (name.startsWith('node-'))
    return [{ kind: 'Node', key: name.slice('node-'.length) }, ...byName, reserved];
  if (name.endsWith('.')) return [{ kind: 'Vip', key: name.slice(0, -1) }, ...byName, reserved];
  return [];
}

/** A multicast querier's port serves its Subnet while snooping is on, or is not plainly off. */
function querier(served: string): Claimant[] {
  const subnet = subnetOfQuerier(served);
  return subnet === undefined ? [] : [subnetClaimant(subnet, served)];
}

const servedBy = (port: Entity<'Logical_Switch_Port'>): string =>
  port.object.external_ids?.['pod'] ?? port.name;

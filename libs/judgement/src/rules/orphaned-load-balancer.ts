import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { claimsByVip } from '../relations/claims-by-vip';
import { healthChecksByHolder } from '../relations/health-checks-by-holder';
import { vpcsByLoadBalancer } from '../relations/vpcs-by-load-balancer';
import { DNAT_KINDS, doubtOfDnat } from '../rule-kit/dnat-balancer';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import { portKey, splitVip, vipKey } from '../kube-ovn/vips';
import type { View } from '../rule-kit/view';
import { defineRule, healthy, unknown, type Verdict, violation } from '../rule-kit/rule';
import { absent, unchanged, unreferenced, value } from '../rule-kit/facts';

/**
 * The six of a custom VPC. Those of the default VPC, `cluster-…`, live as long as Kube-OVN does.
 */
const OF_VPC = /^vpc-(.+)-(?:tcp|udp|sctp)-(?:sess-)?load$/s;
const OF_DEFAULT_VPC = /^cluster-(?:tcp|udp|sctp)(?:-session)?-loadbalancer$/;

/**
 * A load balancer whose OvnDnatRule or VPC is deleted.
 *
 * A VPC's six stay until the controller's next start (kube-ovn.md §7.3, row 44); that of an
 * OvnDnatRule stays when the rule was deleted before its finalizer came (rows 54 and 56). A rule's
 * balancer has the rule's name, which is free: only on a router of Kube-OVN's, with its tag, in the
 * form of a rule's on the address of an OvnEip, and with no vip that a Service requests, is it
 * taken for one.
 *
 * To delete a rule, every release takes the entry out of the balancer and the balancer off the
 * router, and leaves the balancer (`DelDnatRule` in pkg/controller/ovn_dnat.go, v1.12 to master;
 * seen). Such a one is reported, and nothing removes it: only its tag says whose it is.
 */
export default defineRule({
  id: 'orphaned-load-balancer',
  class: 'garbage',
  severity: 'warning',
  subject: 'Load_Balancer',
  reads: [
    ...DNAT_KINDS,
    'Vpc',
    'Service',
    'SwitchLBRule',
    'RouterLBRule',
    'Load_Balancer_Health_Check',
    'Logical_Router',
    'Logical_Switch',
  ],
  about:
    'A load balancer made for an OvnDnatRule or a Vpc that no longer exists. That of a rule still translates addresses, unless it is empty. A start of Kube-OVN’s controller removes it, unless its collection is off.',
  remedy: 'delete-load-balancer',

  check(balancer, view) {
    if (OF_DEFAULT_VPC.test(balancer.name) || view.has(vpcsByLoadBalancer, balancer.name))
      return healthy;
    if (view.presence('OvnDnatRule', balancer.name) === 'present') return healthy;
    const vpc = OF_VPC.exec(balancer.name)?.[1];
    if (vpc !== undefined && view.presence('Vpc', vpc) === 'present') return healthy;
    const owner = view.ownership(balancer);
    if (owner.verdict !== 'candidate')
      return vpc === undefined && leadsNowhere(balancer, owner, view)
        ? emptied(balancer, owner)
        : healthy;
    const user = vpc === undefined ? undefined : view.referrers(balancer)[0];
    if (user)
      return unknown(
        `Vpc ${vpc} is gone, but ${user.kind} ${user.name || user.uid} still uses its load balancer ${balancer.name}`,
      );
    if (isRequestedBy(balancer, view))
      return unknown(
        `nobody known made load balancer ${balancer.name}, yet a Service asks for one of its addresses`,
      );
    const doubt = vpc === undefined ? doubtOfDnat(balancer, view) : undefined;
    if (doubt !== undefined)
      return unknown(
        `no OvnDnatRule ${balancer.name} exists, yet load balancer ${balancer.name} may not be one's: ${doubt}`,
      );

    const gone = vpc === undefined ? absent('OvnDnatRule', balancer.name) : absent('Vpc', vpc);
    return violation({
      summary: `load balancer ${balancer.name} was made for ${vpc === undefined ? `OvnDnatRule ${balancer.name}` : `Vpc ${vpc}`}, which no longer exists`,
      owner,
      concerns: view.related(healthChecksByHolder, balancer.uid),
      proof: [
        gone,
        ...(vpc === undefined ? [] : [absent('OvnDnatRule', balancer.name)]),
        value(balancer, 'external_ids', JSON.stringify(balancer.object.external_ids)),
        value(balancer, 'vips', balancer.object.vips ? JSON.stringify(balancer.object.vips) : ''),
        unchanged(balancer),
      ],
      remedy: {
        action: 'delete-load-balancer',
        target: referenceTo(balancer),
        advice: 'delete the load balancer; routers and switches forget it by themselves',
      },
    });
  },
});

/** Tagged by Kube-OVN (from v1.15 on), empty, and in no router, switch or group. */
const leadsNowhere = (
  balancer: Entity<'Load_Balancer'>,
  { owner }: Ownership,
  view: View<'Load_Balancer'>,
): boolean =>
  owner === 'kube-ovn' &&
  Object.keys(balancer.object.vips ?? {}).length === 0 &&
  view.referrers(balancer).length === 0;

const emptied = (balancer: Entity<'Load_Balancer'>, owner: Ownership): Verdict =>
  violation({
    summary: `load balancer ${balancer.name} has no entry, no router or switch has it, and no OvnDnatRule of its name exists`,
    owner,
    proof: [
      absent('OvnDnatRule', balancer.name),
      value(balancer, 'vips', ''),
      unreferenced(balancer),
      unchanged(balancer),
    ],
  });

function isRequestedBy(
  balancer: Entity<'Load_Balancer'>,
  view: View<'Service' | 'SwitchLBRule' | 'RouterLBRule'>,
): boolean {
  return Object.keys(balancer.object.vips ?? {}).some((vip) => {
    const split = splitVip(vip);
    const protocol = balancer.object.protocol ?? 'tcp';
    const key = split && vipKey(split.ip, split.port, protocol);
    return (
      !split ||
      key === undefined ||
      [key, portKey(split.port, protocol)].some((it) => view.has(claimsByVip, it))
    );
  });
}

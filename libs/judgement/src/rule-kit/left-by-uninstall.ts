import { kubeOvnNetworks } from '../relations/kube-ovn-networks';
import { portsUp } from '../relations/ports-up';
import type { Verdict } from './rule';
import { healthy, unknown, violation } from './rule';
import {
  CONTROLLER_KINDS,
  type ControllerKind,
  controllerGone,
  controllerIsGone,
} from './controller';
import { describeEntity } from '../kube-ovn/deletion';
import { type Entity, type Kind, referenceTo } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import type { View } from './view';
import { unchanged, unclaimed, value } from './facts';

/** What a rule about a row that an uninstall left reads. */
export const UNINSTALL_KINDS = [
  'Vpc',
  'Subnet',
  'Logical_Switch_Port',
  ...CONTROLLER_KINDS,
] as const satisfies readonly Kind[];

/**
 * The verdict on a row that serves objects which live on without Kube-OVN, such as nodes, Services
 * and NetworkPolicies. As long as a network or a controller of Kube-OVN's exists, this rule does
 * not apply; after that nothing ever removes the row (kube-ovn.md §7.4). Its definitions may be
 * deleted while its network still carries pods, and the Kubernetes that was read may be another one
 * than this network's: a port that a chassis holds up is a sign of both.
 */
export function leftByUninstall(
  row:
    | Entity<'Load_Balancer'>
    | Entity<'Port_Group'>
    | Entity<'Address_Set'>
    | Entity<'HA_Chassis_Group'>,
  view: View<'Vpc' | 'Subnet' | 'Logical_Switch_Port' | ControllerKind>,
  action: string,
): Verdict {
  if (!controllerIsGone(view) || view.has(kubeOvnNetworks, 'any')) return healthy;
  const owner = view.ownership(row as Entity);
  if (owner.verdict !== 'candidate') return healthy;
  if (view.has(portsUp, 'any'))
    return unknown(
      `nothing of Kube-OVN's is left in Kubernetes, yet chassis hold ports of its up: ${describeEntity(row)} may be in use`,
    );
  // Who still names it goes first, or keeps it.
  const isRemovedWithIt = (entity: Entity): boolean =>
    entity.kind === 'Logical_Switch_Port' ||
    (parentsOf(entity).length > 0 && parentsOf(entity).every(({ uid }) => uid === row.uid));
  const referrer = view.referrers(row as Entity).find((it) => !isRemovedWithIt(it));
  if (parentsOf(row).length > 0)
    return unknown(`Kube-OVN was taken away, yet a row still holds ${describeEntity(row)}`);
  if (referrer)
    return unknown(
      `Kube-OVN was taken away, yet ${describeEntity(referrer)} still names ${describeEntity(row)}`,
    );
  return violation({
    summary: `${describeEntity(row)} was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more`,
    owner,
    proof: [
      unclaimed('Vpc', 'metadata.name', 'any'),
      unclaimed('Subnet', 'metadata.name', 'any'),
      ...controllerGone,
      value(row, 'external_ids', JSON.stringify(row.object.external_ids ?? {})),
      unchanged(row),
    ],
    remedy: {
      action,
      target: referenceTo(row),
      advice: `remove ${describeEntity(row)}, which only Kube-OVN would make use of`,
    },
  });
}

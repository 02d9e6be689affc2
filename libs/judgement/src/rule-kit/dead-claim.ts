import type { Fact } from '@ovn-steward/contracts/findings/finding';
import type { Entity, Kind } from '../world/entity';
import { isOfMissingNode } from './chassis-of-node';
import { lagOf } from './silent-chassis';
import { DATABASE_KINDS, otherSouthbound } from './southbound';
import type { View } from './view';
import { absent, value } from './facts';

/** What a rule that calls `deadClaim` consults, beside Nodes. */
export const CLAIM_KINDS = [
  'Port_Binding',
  'Chassis',
  'Chassis_Private',
  ...DATABASE_KINDS,
] as const satisfies readonly Kind[];

/** That a port counts as up though nobody holds it up any more. */
export interface DeadClaim {
  /** As the end of a sentence about the port. */
  readonly clause: string;
  readonly proof: readonly Fact[];
}

/**
 * Why a port that counts as up is held by nobody, as the Southbound shows; undefined where it does
 * not, or is not read.
 *
 * OVN calls a port up until its chassis lets go of it, which the chassis of a dead node never does
 * (kube-ovn.md §11.2). That one is dead takes three signs: Kube-OVN tagged it, no Node has it, and
 * it has not followed the configuration for long while most others did. A machine that is cut off
 * from Kubernetes alone still follows.
 */
export function deadClaim(
  port: Entity<'Logical_Switch_Port'>,
  view: View<(typeof CLAIM_KINDS)[number] | 'Node'>,
): DeadClaim | undefined {
  if (!view.knows('Port_Binding') || otherSouthbound(view) !== undefined) return undefined;
  const binding = view.get('Port_Binding', port.name);
  if (!binding || (binding.object.additional_chassis ?? []).length > 0) return undefined;
  const uid = binding.object.chassis ?? '';
  if (uid === '')
    return { clause: 'no chassis has bound it', proof: [value(binding, 'chassis', '')] };
  const chassis = view.byUid('Chassis', uid);
  const report = chassis && view.get('Chassis_Private', chassis.name);
  if (!chassis || !report || !isOfMissingNode(chassis, view) || !lagOf(report, view))
    return undefined;
  const host = chassis.object.hostname!;
  return {
    clause: `it is bound on the silent chassis of node ${host}, which does not exist`,
    proof: [
      value(binding, 'chassis', uid),
      absent('Node', host),
      value(chassis, 'hostname', host),
      value(report, 'nb_cfg', String(report.object.nb_cfg)),
    ],
  };
}

/** That somebody may hold the port up. */
export const HELD = 'held';

/**
 * Whether anybody holds the port up: undefined where it does not count as up, and why nobody does
 * where it counts as up all the same.
 */
export const heldUp = (
  port: Entity<'Logical_Switch_Port'>,
  view: View<(typeof CLAIM_KINDS)[number] | 'Node'>,
): typeof HELD | DeadClaim | undefined =>
  port.object.up === true ? (deadClaim(port, view) ?? HELD) : undefined;

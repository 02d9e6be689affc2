import { podsByMachine } from '../relations/pods-by-machine';
import { addressClaimants, ownerText } from './address-claimants';
import { ADDRESS_DOUBT_KINDS, gatewayRulesTo, leadsTo } from './address-doubt';
import { CLAIMANT_KINDS, type ClaimantKind, type Claims, claimsOf } from './claimants';
import { type CLAIM_KINDS, type DeadClaim, deadClaim } from './dead-claim';
import type { Entity } from '../world/entity';
import { isReserved } from '../kube-ovn/reservation';
import { isOfInterconnection } from './subnet-own-address';
import { switchInUse } from './switch-in-use';
import type { View } from './view';
import { isBeingDeleted } from '../kube-ovn/deletion';

/** What a rule reads that may call an address record a leak. */
export const LEAK_KINDS = [
  ...CLAIMANT_KINDS,
  ...ADDRESS_DOUBT_KINDS,
  'Logical_Switch',
  'Logical_Switch_Port',
] as const;

/**
 * Whether the record can be a leak at all: one that is reserved, or already being deleted, is kept.
 */
export const mayLeak = (ip: Entity<'IP'>): boolean => !isBeingDeleted(ip) && !isReserved(ip);

/**
 * Whether an address record outlived its owner. `ports`: those of its name, which the controller
 * removes with it.
 */
export type Leak =
  | { readonly is: 'kept' }
  | { readonly is: 'unknown'; readonly reason: string }
  | {
      readonly is: 'leaked';
      readonly claims: Claims;
      readonly ports: readonly Entity<'Logical_Switch_Port'>[];
      /** Why those that count as up are held by nobody. */
      readonly deadClaims: readonly DeadClaim[];
      /** Rules of NAT gateways that lead to its address: while there are any it is not freed. */
      readonly gatewayRules: readonly Entity[];
    };

/**
 * Whether an address record has no owner any more (kube-ovn.md §6.4). A record that is being
 * deleted or is reserved is kept: it is no leak. The rule about records and the rule about ports
 * both call this, so that a port is left to the finding of its record exactly when there is one. What
 * lies between an underlay and the overlays is in use while its switch is: the controller deletes
 * the record with the Subnet (handleDeleteSubnet, pkg/controller/subnet.go, v1.12 to v1.17).
 */
export function leakOf(
  ip: Entity<'IP'>,
  view: View<ClaimantKind | (typeof LEAK_KINDS)[number] | (typeof CLAIM_KINDS)[number]>,
): Leak {
  if (!mayLeak(ip)) return { is: 'kept' };
  const claimants = addressClaimants(ip);
  if (typeof claimants === 'string') return { is: 'unknown', reason: claimants };
  const claims = claimsOf(claimants, view);
  if (claims.by || view.has(podsByMachine, ownerText(ip))) return { is: 'kept' };
  if (claims.unknown.length > 0)
    return {
      is: 'unknown',
      reason: `not known whether these exist: ${claims.unknown.join(', ')}`,
    };
  const subnet = ip.object.spec?.subnet ?? '';
  if (
    isOfInterconnection(ip.name) &&
    switchInUse(subnet, view) &&
    view.presence('Subnet', subnet) === 'absent'
  )
    return {
      is: 'unknown',
      reason: `Subnet ${subnet} is gone, but its switch has ports that may be in use`,
    };
  const ports = view.named('Logical_Switch_Port', ip.name);
  const up = ports.filter((port) => port.object.up === true);
  const deadClaims = up.flatMap((port) => deadClaim(port, view) ?? []);
  if (deadClaims.length < up.length)
    return {
      is: 'unknown',
      reason: `nobody known owns ${ip.name}, yet a chassis still holds its port up`,
    };
  const rule = leadsTo(ip, view);
  return rule === undefined
    ? { is: 'leaked', claims, ports, deadClaims, gatewayRules: gatewayRulesTo(ip, view) }
    : { is: 'unknown', reason: `nobody known owns ${ip.name}, yet ${rule} still leads to it` };
}

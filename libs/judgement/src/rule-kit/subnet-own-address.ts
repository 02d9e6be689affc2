import { isBeingDeleted } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import type { Claimant, ClaimantKind } from './claimants';

/** The record of the address between underlay and overlay: `<prefix><vpc>.<subnet>`. */
const INTERCONNECTION = 'u2o-interconnection.';
/** The record and the port of the multicast querier: `<prefix><subnet>`. */
const QUERIER = 'mcast-querier.';

/** Whether the name is that of an address that a Subnet has for itself (kube-ovn.md §3.6). */
export const isOwnOfSubnet = (name: string): boolean =>
  isOfInterconnection(name) || name.startsWith(QUERIER);

/** Whether the name is that of the address between an underlay and the overlays of its VPC. */
export const isOfInterconnection = (name: string): boolean => name.startsWith(INTERCONNECTION);

/** The Subnet that a querier's name ends with; undefined for any other name. */
export const subnetOfQuerier = (name: string): string | undefined =>
  name.startsWith(QUERIER) ? name.slice(QUERIER.length) : undefined;

/**
 * The Subnet, while it may want what has that name for itself. `releaseU2OIP` and
 * `releaseMcastQuerierIP` (pkg/controller/subnet.go, v1.13 to v1.17) clear the status before they
 * delete the record, and never look again; the former looks for it under the name of the VPC that
 * the Subnet is in by then.
 */
export const subnetClaimant = (key: string, name: string): Claimant => ({
  kind: 'Subnet',
  key,
  ...(isOwnOfSubnet(name) && {
    claims: (found: Entity<ClaimantKind>) => !isSwitchedOff(found as Entity<'Subnet'>, name),
  }),
});

/**
 * Whether neither spec nor status has it any more. What was not read may say otherwise, and what a
 * deletion of the Subnet waits for is a part of that finding (`stuck-subnet-deletion`).
 */
function isSwitchedOff(subnet: Entity<'Subnet'>, name: string): boolean {
  const { spec, status } = subnet.object;
  if (!spec || !status || isBeingDeleted(subnet)) return false;
  return name.startsWith(QUERIER)
    ? spec.enableMulticastSnoop !== true && (status.mcastQuerierIP ?? '') === ''
    : spec.u2oInterconnection !== true && (status.u2oInterconnectionIP ?? '') === '';
}

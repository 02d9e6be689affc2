import type { Entity } from '../world/entity';

/**
 * Whether the gateway of the subnet is a device of the physical network: an underlay without a
 * logical gateway. For such a one Kube-OVN makes no policies of its own, those of an interconnection
 * aside (`reconcileOvnDefaultVpcRoute`, pkg/controller/subnet.go, v1.12 to master).
 */
export const hasPhysicalGateway = ({ object: { spec } }: Entity<'Subnet'>): boolean =>
  (spec?.vlan ?? '') !== '' && spec?.logicalGateway !== true;

import { subnetsHealth } from '@ovn-steward/judgement/health/subnet-health';
import { define } from '@ovn-steward/service/meter/definition';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { Picture } from './analyze';

const OF = ['subnet', 'vpc'] as const;
const ADDRESSES = [...OF, 'family'] as const;

/**
 * The only series whose labels are names from a cluster: one subnet is at most ten of them, and of a cluster no more than
 * `MOST_SUBNETS` subnets are told. What is not known has no series; those of a removed subnet go with it.
 */
export const SUBNET_METRICS = {
  subnets: define('gauge', 'subnets', [], 'Subnets known. The first thousand by name have the series steward_subnet_*.'),
  subnetReady: define('gauge', 'subnet_ready', OF, '1 while the condition Ready of the subnet is True, 0 while it is False.'),
  subnetValidated: define('gauge', 'subnet_validated', OF, '1 while the condition Validated of the subnet is True, 0 while it is False.'),
  subnetTerminating: define('gauge', 'subnet_terminating', OF, '1 while the subnet was told to go and is still there, else 0.'),
  subnetUsed: define('gauge', 'subnet_addresses_used', ADDRESSES, 'Addresses in use as the status of the subnet says.'),
  subnetCounted: define('gauge', 'subnet_addresses_counted', ADDRESSES, 'Distinct addresses that objects of Kube-OVN hold in the subnet.'),
  subnetAvailable: define('gauge', 'subnet_addresses_available', ADDRESSES, 'Addresses that are free: those of the CIDR without the excluded and the held ones.'),
  subnetVlanPresent: define('gauge', 'subnet_vlan_present', OF, '1 while the Vlan the subnet names exists, else 0; only for subnets that name one.'),
} as const;

export const MOST_SUBNETS = 1000;

/** Sets the gauges of one cluster; whoever calls has reset them. */
export function showSubnets(meter: Meter, cluster: Readonly<Record<string, string>>, world: Picture['world']): void {
  const all = subnetsHealth(world);
  if (all.length > 0 || world.knows('Subnet')) meter.set(SUBNET_METRICS.subnets, cluster, all.length);
  for (const it of all.slice(0, MOST_SUBNETS)) {
    const of = { ...cluster, subnet: it.name, vpc: it.vpc };
    if (it.ready !== null) meter.set(SUBNET_METRICS.subnetReady, of, it.ready ? 1 : 0);
    if (it.validated !== null) meter.set(SUBNET_METRICS.subnetValidated, of, it.validated ? 1 : 0);
    meter.set(SUBNET_METRICS.subnetTerminating, of, it.terminatingSince === null ? 0 : 1);
    if (it.vlan && it.vlan.presence !== 'unknown') meter.set(SUBNET_METRICS.subnetVlanPresent, of, it.vlan.presence === 'present' ? 1 : 0);
    for (const { family, used, counted, free } of it.addresses) {
      if (used !== null) meter.set(SUBNET_METRICS.subnetUsed, { ...of, family }, Number(used));
      if (counted !== null) meter.set(SUBNET_METRICS.subnetCounted, { ...of, family }, Number(counted));
      if (free !== null) meter.set(SUBNET_METRICS.subnetAvailable, { ...of, family }, Number(free));
    }
  }
}

import { exhaustionOf } from '@ovn-steward/judgement/health/exhaustion';
import { type SubnetHealth, subnetsHealth } from '@ovn-steward/judgement/health/subnet-health';
import { define } from '@ovn-steward/service/meter/definition';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { AnalyzedCluster } from '../partition/analyze';

const OF = ['subnet', 'vpc'] as const;
const ADDRESSES = [...OF, 'family'] as const;

/**
 * The only series whose labels are names from a cluster: one subnet is at most fifteen of them, and
 * of a cluster no more than `MOST_SUBNETS` subnets are shown. What is not known has no series;
 * those of a removed subnet go with it.
 */
export const SUBNET_METRICS = {
  subnets: define(
    'gauge',
    'subnets',
    [],
    'Subnets known. The first thousand by name have the series steward_subnet_*.',
  ),
  subnetReady: define(
    'gauge',
    'subnet_ready',
    OF,
    '1 while the condition Ready of the subnet is True, 0 while it is False.',
  ),
  subnetValidated: define(
    'gauge',
    'subnet_validated',
    OF,
    '1 while the condition Validated of the subnet is True, 0 while it is False.',
  ),
  subnetTerminating: define(
    'gauge',
    'subnet_terminating',
    OF,
    '1 while the subnet is being deleted and is still there, else 0.',
  ),
  subnetUsed: define(
    'gauge',
    'subnet_addresses_used',
    ADDRESSES,
    'Addresses in use as the status of the subnet says.',
  ),
  subnetCounted: define(
    'gauge',
    'subnet_addresses_counted',
    ADDRESSES,
    'Distinct addresses that objects of Kube-OVN hold in the subnet.',
  ),
  subnetAvailable: define(
    'gauge',
    'subnet_addresses_available',
    ADDRESSES,
    'Addresses that are free: those of the CIDR without the excluded and the held ones.',
  ),
  subnetVlanPresent: define(
    'gauge',
    'subnet_vlan_present',
    OF,
    '1 while the Vlan the subnet names exists, else 0; only for subnets that name one.',
  ),
  subnetProviderPresent: define(
    'gauge',
    'subnet_provider_present',
    OF,
    '1 while the ProviderNetwork that the Vlan of the subnet names exists, else 0; only for subnets with such a Vlan.',
  ),
  subnetGatewayActive: define(
    'gauge',
    'subnet_gateway_active',
    OF,
    '1 while a node is the gateway of the subnet, 0 while none of its gateway nodes is ready; only for subnets of the default VPC with gateway type centralized, without ECMP.',
  ),
  subnetBound: define(
    'gauge',
    'subnet_namespaces_bound',
    OF,
    'Namespaces whose annotation gives the subnet to their pods.',
  ),
  subnetUnbound: define(
    'gauge',
    'subnet_namespaces_unbound',
    OF,
    'Namespaces that the subnet names and whose annotation does not have it, or that are not there.',
  ),
  subnetFullIn: define(
    'gauge',
    'subnet_full_in_seconds',
    OF,
    'When no address is free any more, at the pace of the last six hours; 0 while none is free, absent while that is not in sight or not known.',
  ),
} as const;

export const MOST_SUBNETS = 1000;

/**
 * Sets the gauges of one cluster; the caller has reset them.
 * @param now milliseconds on the sources' clock.
 */
export function showSubnets(
  meter: Meter,
  cluster: Readonly<Record<string, string>>,
  world: AnalyzedCluster['world'],
  now: number,
): void {
  const all = subnetsHealth(world);
  const at = new Date(now).toISOString();
  if (all.length > 0 || world.knows('Subnet'))
    meter.set(SUBNET_METRICS.subnets, cluster, all.length);
  for (const subnetHealth of all.slice(0, MOST_SUBNETS)) {
    const of = { ...cluster, subnet: subnetHealth.name, vpc: subnetHealth.vpc };
    const forecast = exhaustionOf(subnetHealth, world, at);
    for (const [gauge, value] of figuresOf(subnetHealth))
      if (value !== null) meter.set(gauge, of, Number(value));
    if (forecast.is === 'growing' || forecast.is === 'full')
      meter.set(
        SUBNET_METRICS.subnetFullIn,
        of,
        forecast.is === 'full' ? 0 : forecast.fullInSeconds,
      );
    for (const { family, used, counted, free } of subnetHealth.addresses) {
      if (used !== null) meter.set(SUBNET_METRICS.subnetUsed, { ...of, family }, Number(used));
      if (counted !== null)
        meter.set(SUBNET_METRICS.subnetCounted, { ...of, family }, Number(counted));
      if (free !== null) meter.set(SUBNET_METRICS.subnetAvailable, { ...of, family }, Number(free));
    }
  }
}

/** What has one series for each subnet; null where there is nothing to show. */
const figuresOf = ({
  ready,
  validated,
  terminatingSince,
  vlan,
  providerNetwork,
  activeGateway,
  namespaces: { named, annotated },
}: SubnetHealth) =>
  [
    [SUBNET_METRICS.subnetReady, ready],
    [SUBNET_METRICS.subnetValidated, validated],
    [SUBNET_METRICS.subnetTerminating, terminatingSince !== null],
    [SUBNET_METRICS.subnetVlanPresent, isPresent(vlan)],
    [SUBNET_METRICS.subnetProviderPresent, isPresent(providerNetwork)],
    [SUBNET_METRICS.subnetGatewayActive, activeGateway === null ? null : activeGateway !== ''],
    [SUBNET_METRICS.subnetBound, annotated && annotated.length],
    [
      SUBNET_METRICS.subnetUnbound,
      annotated && named.filter((it) => !annotated.includes(it)).length,
    ],
  ] as const;

const isPresent = (named: SubnetHealth['vlan']): boolean | null =>
  named === null || named.presence === 'unknown' ? null : named.presence === 'present';

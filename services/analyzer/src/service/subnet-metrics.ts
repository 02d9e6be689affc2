import { type Exhaustion, exhaustionOf } from '@ovn-steward/judgement/health/exhaustion';
import { type Outlook, outlookByVpc, outlookOf } from '@ovn-steward/judgement/health/outlook';
import { type SubnetHealth, subnetsHealth } from '@ovn-steward/judgement/health/subnet-health';
import { define } from '@ovn-steward/service/meter/definition';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { AnalyzedCluster } from '../partition/analyzed-cluster';

const OF = ['subnet', 'vpc'] as const;
const ADDRESSES = [...OF, 'family'] as const;

/**
 * The only series whose labels are names from a cluster: one subnet is at most seventeen of them,
 * and of a cluster no more than `MOST_SUBNETS` subnets and as many VPCs are shown. What is not
 * known has no series; those of a removed subnet go with it.
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
    'Distinct addresses that objects of Kube-OVN have in the subnet, which the status should say; in a dual-stack subnet an object counts once for both families.',
  ),
  subnetHeld: define(
    'gauge',
    'subnet_addresses_held',
    ADDRESSES,
    'Distinct addresses of the family that objects of Kube-OVN have in the subnet.',
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
  vpcHeld: define(
    'gauge',
    'vpc_addresses_held',
    ['vpc', 'family'],
    'Distinct addresses that objects of Kube-OVN hold in the subnets of the VPC.',
  ),
  vpcAvailable: define(
    'gauge',
    'vpc_addresses_available',
    ['vpc', 'family'],
    'Addresses that are free in the subnets of the VPC.',
  ),
  vpcFullIn: define(
    'gauge',
    'vpc_full_in_seconds',
    ['vpc'],
    'When no subnet of the VPC has a free address any more, at the pace of the last six hours; absent while that is not in sight or not known.',
  ),
  allFullIn: define(
    'gauge',
    'addresses_full_in_seconds',
    [],
    'The same of all subnets of the cluster.',
  ),
} as const;

export const MOST_SUBNETS = 1000;

/**
 * Sets the gauges of one cluster; the caller has reset them.
 * @param now milliseconds on the sources' clock.
 */
export function showSubnets(
  meter: Meter,
  cluster: Labels,
  world: AnalyzedCluster['world'],
  now: number,
): void {
  const all = subnetsHealth(world);
  const at = new Date(now).toISOString();
  if (all.length > 0 || world.knows('Subnet'))
    meter.set(SUBNET_METRICS.subnets, cluster, all.length);
  const foreseen = all.map((health) => ({ health, exhaustion: exhaustionOf(health, world, at) }));
  for (const { health, exhaustion } of foreseen.slice(0, MOST_SUBNETS)) {
    const of = { ...cluster, subnet: health.name, vpc: health.vpc };
    for (const [gauge, value] of figuresOf(health))
      if (value !== null) meter.set(gauge, of, Number(value));
    showForecast(meter, SUBNET_METRICS.subnetFullIn, of, exhaustion);
    for (const { family, used, counted, held, free } of health.addresses)
      for (const [gauge, value] of [
        [SUBNET_METRICS.subnetUsed, used],
        [SUBNET_METRICS.subnetCounted, counted],
        [SUBNET_METRICS.subnetHeld, held],
        [SUBNET_METRICS.subnetAvailable, free],
      ] as const)
        if (value !== null) meter.set(gauge, { ...of, family }, Number(value));
  }
  for (const outlook of outlookByVpc(foreseen).slice(0, MOST_SUBNETS))
    showVpc(meter, { ...cluster, vpc: outlook.vpc }, outlook);
  showForecast(meter, SUBNET_METRICS.allFullIn, cluster, outlookOf(foreseen).exhaustion);
}

type Labels = Readonly<Record<string, string>>;

function showVpc(
  meter: Meter,
  of: Labels & { readonly vpc: string },
  { addresses, exhaustion }: Outlook,
): void {
  for (const { family, held, free } of addresses) {
    if (held !== null) meter.set(SUBNET_METRICS.vpcHeld, { ...of, family }, Number(held));
    if (free !== null) meter.set(SUBNET_METRICS.vpcAvailable, { ...of, family }, Number(free));
  }
  showForecast(meter, SUBNET_METRICS.vpcFullIn, of, exhaustion);
}

type Forecast = (typeof SUBNET_METRICS)['subnetFullIn' | 'vpcFullIn' | 'allFullIn'];

function showForecast(meter: Meter, gauge: Forecast, of: Labels, forecast: Exhaustion): void {
  if (forecast.is === 'growing' || forecast.is === 'full')
    meter.set(gauge, of, forecast.is === 'full' ? 0 : forecast.fullInSeconds);
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

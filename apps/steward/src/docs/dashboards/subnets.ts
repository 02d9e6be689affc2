import type { Dashboard } from '../grafana/dashboard';
import { series } from '../grafana/series';

const subnet = (name: string): string => series(`steward_subnet_${name}`, 'subnet=~"$subnet"');
const addresses = (name: string): string =>
  `max by (cluster, vpc, subnet, family) (${subnet(`addresses_${name}`)})`;
const worst = (name: string): string => `min by (cluster, vpc, subnet) (${subnet(name)})`;

export const subnetsDashboard: Dashboard = {
  name: 'subnets',
  title: 'Subnets',
  purpose: 'How full each subnet is, when it will be full, and which subnets do not work.',
  variables: [
    { name: 'job', of: 'steward_build_info' },
    { name: 'cluster', of: 'steward_subnets' },
    { name: 'subnet', of: 'steward_subnet_addresses_available' },
  ],
  sections: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Subnets',
          answers: 'How many subnets are there? Only the first thousand of a cluster have series.',
          type: 'stat',
          width: 6,
          queries: [{ expr: `sum(${series('steward_subnets')})`, legend: 'subnets' }],
        },
        {
          title: 'Subnets without a free address',
          answers: 'In how many subnets can no pod start?',
          type: 'stat',
          width: 6,
          limits: [[1, 'red']],
          queries: [{ expr: `sum(${subnet('addresses_available')} == bool 0)`, legend: 'full' }],
        },
        {
          title: 'Subnets not ready',
          answers: 'How many subnets could Kube-OVN not bring into OVN?',
          type: 'stat',
          width: 6,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${worst('ready')} == bool 0)`, legend: 'not ready' }],
        },
        {
          title: 'First subnet to be full',
          answers: 'When will the first subnet be full, at the pace of the last six hours?',
          type: 'stat',
          width: 6,
          unit: 's',
          limits: [
            [0, 'red'],
            [86400, 'yellow'],
            [3 * 86400, 'green'],
          ],
          queries: [{ expr: `min(${subnet('full_in_seconds')})`, legend: 'full in' }],
          empty: 'none in sight',
        },
        {
          title: 'Addresses',
          answers:
            'How many addresses of each subnet are used, held and free, and when is it full?',
          type: 'table',
          width: 24,
          queries: [
            { expr: addresses('used'), legend: 'used by its status' },
            { expr: addresses('counted'), legend: 'held by objects' },
            { expr: addresses('available'), legend: 'free' },
            {
              expr: `${addresses('used')} / (${addresses('used')} + ${addresses('available')})`,
              legend: 'used share',
              unit: 'percentunit',
            },
          ],
        },
        {
          title: 'Days until full',
          answers: 'Which subnets grow so that they will be full?',
          type: 'table',
          width: 24,
          queries: [{ expr: worst('full_in_seconds'), legend: 'full in', unit: 's' }],
          empty: 'none in sight',
        },
      ],
    },
    {
      title: 'Over time',
      panels: [
        {
          title: 'Fewest free addresses',
          answers: 'Which subnet runs out? The ten with the fewest.',
          type: 'timeseries',
          manyLines: true,
          width: 12,
          queries: [
            // All of them would be flat beside the 18 trillion million of a subnet with IPv6.
            { expr: `bottomk(10, ${addresses('available')})`, legend: '{{subnet}} {{family}}' },
          ],
        },
        {
          title: 'Used addresses',
          answers: 'Which subnet grows?',
          type: 'timeseries',
          manyLines: true,
          width: 12,
          queries: [{ expr: addresses('used'), legend: '{{subnet}} {{family}}' }],
        },
        {
          title: 'Held beyond the status',
          answers:
            'In which subnets do objects hold more addresses than the status of the subnet says? Such a difference may be a leak.',
          type: 'timeseries',
          manyLines: true,
          width: 12,
          queries: [
            {
              expr: `clamp_min(${addresses('counted')} - ${addresses('used')}, 0)`,
              legend: '{{subnet}} {{family}}',
            },
          ],
        },
        {
          title: 'Seconds until full',
          answers: 'Does the forecast come closer?',
          type: 'timeseries',
          manyLines: true,
          width: 12,
          unit: 's',
          queries: [{ expr: worst('full_in_seconds'), legend: '{{subnet}}' }],
          empty: 'none in sight',
        },
      ],
    },
    {
      title: 'What does not work',
      panels: [
        {
          title: 'Conditions and namespaces',
          answers:
            'Which subnet is not ready, not valid, being deleted, or not the subnet of namespaces that it names?',
          type: 'table',
          width: 24,
          queries: [
            { expr: worst('ready'), legend: 'ready', yesNo: true },
            { expr: worst('validated'), legend: 'validated', yesNo: true },
            { expr: worst('terminating'), legend: 'terminating', yesNo: true },
            { expr: worst('namespaces_bound'), legend: 'namespaces' },
            { expr: worst('namespaces_unbound'), legend: 'namespaces not bound' },
          ],
        },
        {
          title: 'Gateway',
          answers: 'Which subnets with a centralized gateway have an active gateway node?',
          type: 'table',
          width: 8,
          queries: [{ expr: worst('gateway_active'), legend: 'active', yesNo: true }],
          empty: 'no subnet has a centralized gateway',
        },
        {
          title: 'Vlan',
          answers: 'Does the Vlan that a subnet names exist?',
          type: 'table',
          width: 8,
          queries: [{ expr: worst('vlan_present'), legend: 'exists', yesNo: true }],
          empty: 'no subnet names a Vlan',
        },
        {
          title: 'Provider network',
          answers: 'Does the ProviderNetwork of that Vlan exist?',
          type: 'table',
          width: 8,
          queries: [{ expr: worst('provider_present'), legend: 'exists', yesNo: true }],
          empty: 'no subnet has a ProviderNetwork',
        },
      ],
    },
  ],
};

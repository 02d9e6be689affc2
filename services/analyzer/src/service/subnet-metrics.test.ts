import { createMeter } from '@ovn-steward/service/meter/meter';
import { ip, object } from '@ovn-steward/judgement/testing/builders';
import type { TestWorld } from '@ovn-steward/judgement/testing/world-builder';
import { world } from '@ovn-steward/judgement/testing/world-builder';
import { pairing } from '@ovn-steward/judgement/rule-kit/pairing';
import { ANALYZER_SERVICE_METRICS, showPictures } from './metrics';
import { MOST_SUBNETS } from './subnet-metrics';

const subnet = (name: string, more: Record<string, unknown> = {}) =>
  object('Subnet', name, {
    spec: {
      vpc: 'blue',
      cidrBlock: '10.17.0.0/24',
      protocol: 'IPv4',
      gateway: '10.17.0.1',
      excludeIps: ['10.17.0.1'],
      ...more,
    },
    status: {
      v4usingIPs: 2,
      v4availableIPs: 251,
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Validated', status: 'False' },
      ],
    },
  });

const meter = createMeter(ANALYZER_SERVICE_METRICS);

/** The series of subnets after a scrape of that world. */
async function reported(given: TestWorld, now = 0): Promise<string[]> {
  const folded = given.fold();
  const picture = {
    findings: () => [],
    unknowns: () => [],
    streams: () => [],
    pairing: () => pairing(folded),
    world: folded,
  };
  showPictures(meter, new Map([['lab', { picture, sources: [], expected: [], now }]]));
  return (await meter.text()).split('\n').filter((it) => it.startsWith('steward_subnet'));
}

test('one subnet: conditions, addresses in status and truth, its VLAN', async () =>
  expect(await reported(world(subnet('apps', { vlan: 'v1' }), ip('a.shop', {})))).toEqual(
    [
      'steward_subnets{cluster="lab"} 1',
      'steward_subnet_ready{subnet="apps",vpc="blue",cluster="lab"} 1',
      'steward_subnet_validated{subnet="apps",vpc="blue",cluster="lab"} 0',
      'steward_subnet_terminating{subnet="apps",vpc="blue",cluster="lab"} 0',
      'steward_subnet_addresses_used{subnet="apps",vpc="blue",family="v4",cluster="lab"} 2',
      'steward_subnet_addresses_counted{subnet="apps",vpc="blue",family="v4",cluster="lab"} 1',
      'steward_subnet_addresses_held{subnet="apps",vpc="blue",family="v4",cluster="lab"} 1',
      'steward_subnet_addresses_available{subnet="apps",vpc="blue",family="v4",cluster="lab"} 252',
      'steward_subnet_vlan_present{subnet="apps",vpc="blue",cluster="lab"} 0',
      'steward_subnet_namespaces_bound{subnet="apps",vpc="blue",cluster="lab"} 0',
      'steward_subnet_namespaces_unbound{subnet="apps",vpc="blue",cluster="lab"} 0',
    ].map((line) =>
      line.replace(/\{(.*?),?cluster="lab"\}/, (_, rest: string) =>
        rest === '' ? '{cluster="lab"}' : `{cluster="lab",${rest}}`,
      ),
    ),
  ));

test('the VPCs and the cluster: what is held and free in all their subnets, and until when', async () => {
  await reported(
    world(subnet('apps'), subnet('web', { cidrBlock: '10.18.0.0/24' }), taken(8), taken(9)),
    24 * HOUR,
  );
  const series = (await meter.text())
    .split('\n')
    .filter((it) => /^steward_(?:vpc|addresses)/.test(it));
  const full = Math.round(((251 + 253) / 2) * 6 * 3600);
  expect(series).toEqual([
    'steward_vpc_addresses_held{cluster="lab",vpc="blue",family="v4"} 2',
    'steward_vpc_addresses_available{cluster="lab",vpc="blue",family="v4"} 504',
    `steward_vpc_full_in_seconds{cluster="lab",vpc="blue"} ${full}`,
    `steward_addresses_full_in_seconds{cluster="lab"} ${full}`,
  ]);
});

/** The value of a series of the subnet `apps`; undefined where it has none. */
const valueOf = async (
  name: string,
  given: TestWorld,
  now?: number,
): Promise<number | undefined> => {
  const line = (await reported(given, now)).find((it) => it.startsWith(`steward_subnet_${name}{`));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
};
const namespace = (name: string, subnets: string) =>
  object('Namespace', name, {
    metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': subnets } },
  });
const vlan = object('Vlan', 'v1', { spec: { provider: 'p1' } });
const central = { vpc: 'ovn-cluster', gatewayType: 'centralized' };
const withStatus = (status: Record<string, unknown>) =>
  object('Subnet', 'apps', { spec: { ...central, cidrBlock: '10.17.0.0/24' }, status });
const taken = (n: number) =>
  ip(
    `p${n}.shop`,
    { v4IpAddress: `10.17.0.${n}` },
    { metadata: { creationTimestamp: '1970-01-02T00:00:00Z' } },
  );
const HOUR = 3_600_000;

test.each<[title: string, name: string, given: TestWorld, value: number | undefined]>([
  [
    'the namespaces that have it',
    'namespaces_bound',
    world(subnet('apps', { namespaces: ['pay', 'shop'] }), namespace('shop', 'apps')),
    1,
  ],
  [
    'those that are to have it and have not',
    'namespaces_unbound',
    world(subnet('apps', { namespaces: ['pay', 'shop'] }), namespace('shop', 'apps')),
    1,
  ],
  [
    'nobody knows which have it',
    'namespaces_unbound',
    world(subnet('apps', { namespaces: ['pay'] })).unlisted('Namespace'),
    undefined,
  ],
  [
    'the provider is there',
    'provider_present',
    world(subnet('apps', { vlan: 'v1' }), vlan, object('ProviderNetwork', 'p1')),
    1,
  ],
  ['the provider is gone', 'provider_present', world(subnet('apps', { vlan: 'v1' }), vlan), 0],
  ['it needs no provider', 'provider_present', world(subnet('apps')), undefined],
  [
    'a node is its gateway',
    'gateway_active',
    world(withStatus({ activateGateway: 'worker-1' })),
    1,
  ],
  ['no node is', 'gateway_active', world(withStatus({ activateGateway: '' })), 0],
  ['every node is', 'gateway_active', world(subnet('apps')), undefined],
  [
    'two of 253 in six hours',
    'full_in_seconds',
    world(subnet('apps'), taken(8), taken(9)),
    Math.round((251 / 2) * 6 * 3600),
  ],
  [
    'full',
    'full_in_seconds',
    world(subnet('apps', { cidrBlock: '10.17.0.0/30', excludeIps: ['10.17.0.1'] }), taken(2)),
    0,
  ],
  ['nothing was taken', 'full_in_seconds', world(subnet('apps')), undefined],
  [
    'not all that holds addresses is known',
    'full_in_seconds',
    world(subnet('apps'), taken(8)).unlisted('Vip'),
    undefined,
  ],
])('%s: %s', async (_, name, given, value) =>
  expect(await valueOf(name, given, 25 * HOUR)).toBe(value),
);

test('the series of a removed subnet go with it', async () => {
  await reported(world(subnet('apps'), subnet('gone')));
  const now = await reported(world(subnet('apps')));
  expect(now.filter((it) => it.includes('gone'))).toEqual([]);
  expect(now).toContain('steward_subnets{cluster="lab"} 1');
});

test('what is not known has no series', async () => {
  const series = await reported(world(subnet('apps', { vlan: 'v1' })).unlisted('Vip', 'Vlan'));
  expect(series.filter((it) => /counted|available|vlan|full_in/.test(it))).toEqual([]);
});

test('a cluster with very many subnets has series for a bounded number', async () => {
  const many = await reported(
    world(...Array.from({ length: MOST_SUBNETS + 5 }, (_, i) => subnet(`s${i}`))),
  );
  expect(many.filter((it) => it.startsWith('steward_subnet_ready'))).toHaveLength(MOST_SUBNETS);
  expect(many).toContain(`steward_subnets{cluster="lab"} ${MOST_SUBNETS + 5}`);
});

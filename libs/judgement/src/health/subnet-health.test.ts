import { ip, object } from '../testing/builders';
import type { TestWorld } from '../testing/world-builder';
import { world } from '../testing/world-builder';
import type { SubnetHealth } from './subnet-health';
import { subnetsHealth } from './subnet-health';

const subnet = (
  status: Record<string, unknown> = {},
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
) =>
  object('Subnet', 'apps', {
    metadata,
    spec: {
      vpc: 'ovn-cluster',
      cidrBlock: '10.17.0.0/24',
      protocol: 'IPv4',
      gateway: '10.17.0.1',
      excludeIps: ['10.17.0.1'],
      ...spec,
    },
    status,
  });
const namespace = (name: string, subnets?: string) =>
  object('Namespace', name, {
    metadata: {
      annotations: subnets === undefined ? {} : { 'ovn.kubernetes.io/logical_switch': subnets },
    },
  });
const at = (name: string, v4IpAddress: string) => ip(name, { v4IpAddress, ipAddress: v4IpAddress });
const says = (type: string, status: string) => ({ conditions: [{ type, status }] });
const dual = {
  protocol: 'Dual',
  cidrBlock: '10.17.0.0/24,fd00::/64',
  gateway: '10.17.0.1,fd00::1',
  excludeIps: ['10.17.0.1', 'fd00::1'],
};
const both = ip('a.shop', { v4IpAddress: '10.17.0.10', v6IpAddress: 'fd00::10' });

test.each<[title: string, given: TestWorld, expected: Partial<SubnetHealth>]>([
  [
    'what the spec says',
    world(subnet()),
    {
      name: 'apps',
      vpc: 'ovn-cluster',
      cidr: '10.17.0.0/24',
      gateway: '10.17.0.1',
      terminatingSince: null,
    },
  ],
  [
    'a node is its gateway',
    world(subnet({ activateGateway: 'worker-1' }, { gatewayType: 'centralized' })),
    { activeGateway: 'worker-1' },
  ],
  [
    'none of its gateway nodes is ready',
    world(subnet({ activateGateway: '' }, { gatewayType: 'centralized' })),
    { activeGateway: '' },
  ],
  [
    'the default VPC has another name',
    world(
      subnet({ activateGateway: '' }, { gatewayType: 'centralized', vpc: 'main' }),
      object('Vpc', 'main', { status: { default: true } }),
    ),
    { activeGateway: '' },
  ],
  [
    'no gateway node was settled yet',
    world(subnet({}, { gatewayType: 'centralized' })),
    { activeGateway: null },
  ],
  [
    'each node is a gateway',
    world(subnet({ activateGateway: '' }, { gatewayType: 'distributed' })),
    { activeGateway: null },
  ],
  [
    'several nodes are',
    world(subnet({ activateGateway: '' }, { gatewayType: 'centralized', enableEcmp: true })),
    { activeGateway: null },
  ],
  [
    'a router of its VPC is',
    world(
      subnet({ activateGateway: '' }, { gatewayType: 'centralized', vpc: 'tenant' }),
      object('Vpc', 'tenant'),
    ),
    { activeGateway: null },
  ],
  [
    'a physical network is',
    world(subnet({ activateGateway: '' }, { gatewayType: 'centralized', vlan: 'v1' })),
    { activeGateway: null },
  ],
  [
    'a VLAN with a logical gateway',
    world(
      subnet(
        { activateGateway: '' },
        { gatewayType: 'centralized', vlan: 'v1', logicalGateway: true },
      ),
    ),
    { activeGateway: '' },
  ],
  [
    'Kube-OVN gives addresses alone',
    world(
      subnet({ activateGateway: '' }, { gatewayType: 'centralized', provider: 'storage.infra' }),
    ),
    { activeGateway: null },
  ],
  ['it is ready', world(subnet(says('Ready', 'True'))), { ready: true, validated: null }],
  [
    'it is not validated',
    world(subnet(says('Validated', 'False'))),
    { ready: null, validated: false },
  ],
  [
    'the controller does not know yet: neither do we',
    world(subnet(says('Ready', 'Unknown'))),
    { ready: null },
  ],
  [
    'it is terminating',
    world(subnet({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
    { terminatingSince: '2026-01-01T00:00:00Z' },
  ],
  [
    'a namespace annotated twice is bound once',
    world(
      subnet({}, { namespaces: ['b', 'a', 'a'] }),
      namespace('shop', 'apps,apps'),
      namespace('pay', 'other,apps'),
      namespace('x'),
    ),
    { namespaces: { named: ['a', 'b'], annotated: ['pay', 'shop'] } },
  ],
  [
    'Namespaces are not listed',
    world(subnet()).unlisted('Namespace'),
    { namespaces: { named: [], annotated: null } },
  ],
  [
    'status and truth agree',
    world(subnet({ v4usingIPs: 1, v4availableIPs: 252 }), at('a.shop', '10.17.0.10')),
    { addresses: [{ family: 'v4', used: 1n, counted: 1n, held: 1n, available: 252n, free: 252n }] },
  ],
  [
    'the status counts one address twice',
    world(
      subnet({ v4usingIPs: '2.0', v4availableIPs: 251 }),
      at('a.shop', '10.17.0.10'),
      at('b.shop', '10.17.0.10'),
    ),
    { addresses: [{ family: 'v4', used: 2n, counted: 1n, held: 1n, available: 251n, free: 252n }] },
  ],
  [
    'no status was written',
    world(subnet()),
    {
      addresses: [{ family: 'v4', used: null, counted: 0n, held: 0n, available: null, free: 253n }],
    },
  ],
  [
    'Vips are not listed: the truth is not known',
    world(subnet({ v4usingIPs: 1, v4availableIPs: 252 })).unlisted('Vip'),
    {
      addresses: [
        { family: 'v4', used: 1n, counted: null, held: null, available: 252n, free: null },
      ],
    },
  ],
  [
    'an excluded address cannot be read',
    world(subnet({ v4usingIPs: 1 }, { excludeIps: ['10.17.0'] })),
    {
      addresses: [
        { family: 'v4', used: 1n, counted: null, held: null, available: null, free: null },
      ],
    },
  ],
  [
    'both families, the larger as JSON rounds it',
    world(
      subnet(
        { v4usingIPs: 1, v6usingIPs: 1, v4availableIPs: 252, v6availableIPs: 18446744073709552000 },
        dual,
      ),
      both,
    ),
    {
      addresses: [
        { family: 'v4', used: 1n, counted: 1n, held: 1n, available: 252n, free: 252n },
        {
          family: 'v6',
          used: 1n,
          counted: 1n,
          held: 1n,
          available: 18446744073709552000n,
          free: 2n ** 64n - 4n,
        },
      ],
    },
  ],
  [
    'more is held than there is',
    world(
      subnet({}, { cidrBlock: '10.17.0.8/30', excludeIps: ['10.17.0.9'] }),
      at('a.shop', '10.17.0.10'),
      at('b.shop', '10.17.0.11'),
    ),
    { addresses: [{ family: 'v4', used: null, counted: 2n, held: 2n, available: null, free: 0n }] },
  ],
  ['it has no addresses', world(subnet({}, { cidrBlock: '' })), { addresses: [] }],
  ['it needs no VLAN', world(subnet()), { vlan: null, providerNetwork: null }],
  [
    'VLAN and provider network are there',
    world(
      subnet({}, { vlan: 'v1' }),
      object('Vlan', 'v1', { spec: { provider: 'p1' } }),
      object('ProviderNetwork', 'p1'),
    ),
    {
      vlan: { name: 'v1', presence: 'present' },
      providerNetwork: { name: 'p1', presence: 'present' },
    },
  ],
  [
    'the provider network is gone',
    world(subnet({}, { vlan: 'v1' }), object('Vlan', 'v1', { spec: { provider: 'p1' } })),
    { providerNetwork: { name: 'p1', presence: 'absent' } },
  ],
  [
    'the VLAN is gone, and with it who its provider is',
    world(subnet({}, { vlan: 'v1' })),
    { vlan: { name: 'v1', presence: 'absent' }, providerNetwork: null },
  ],
  [
    'VLANs are not listed',
    world(subnet({}, { vlan: 'v1' })).unlisted('Vlan'),
    { vlan: { name: 'v1', presence: 'unknown' } },
  ],
])('%s', (_, given, expected) =>
  expect(subnetsHealth(given.fold())).toEqual([expect.objectContaining(expected)]),
);

test('every subnet, by name', () =>
  expect(
    subnetsHealth(world(object('Subnet', 'b'), object('Subnet', 'a')).fold()).map((it) => it.name),
  ).toEqual(['a', 'b']));

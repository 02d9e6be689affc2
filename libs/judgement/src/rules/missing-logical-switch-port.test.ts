import { logicalSwitch, object, pod, port } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './missing-logical-switch-port';

const on = (provider: string, ls: string): Record<string, string> => ({
  [`${provider}.kubernetes.io/allocated`]: 'true',
  [`${provider}.kubernetes.io/logical_switch`]: ls,
  [`${provider}.kubernetes.io/ip_address`]: '10.17.0.10',
});
const connected = (
  annotations: Record<string, string> = on('ovn', 'apps'),
  over: Record<string, unknown> = {},
): Built<'Pod'> => pod('shop/web-0', { metadata: { annotations }, ...over });
const apps = object('Subnet', 'apps');
const data = object('Subnet', 'data');
const attachment = port('web-0.shop.data.shop.ovn', {
  external_ids: { vendor: 'kube-ovn', ls: 'data', pod: 'shop/web-0' },
});

testRule(rule, {
  healthy: {
    'its port is there': world(apps, connected(), port()),
    'its port and that of its attachment are there': world(
      apps,
      data,
      connected({ ...on('ovn', 'apps'), ...on('data.shop.ovn', 'data') }),
      port(),
      attachment,
    ),
    'it is not connected yet': world(apps, connected({})),
    'the controller took the allocation back': world(
      apps,
      connected({ ...on('ovn', 'apps'), 'ovn.kubernetes.io/allocated': 'false' }),
    ),
    "it is on the host's network": world(
      apps,
      connected(undefined, { spec: { hostNetwork: true } }),
    ),
    'it is completed': world(apps, connected(undefined, { status: { phase: 'Succeeded' } })),
    'it failed': world(apps, connected(undefined, { status: { phase: 'Failed' } })),
    'it is being deleted': world(
      apps,
      pod('shop/web-0', {
        metadata: { annotations: on('ovn', 'apps'), deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
    ),
    "its attachment is another CNI's, with no switch": world(
      apps,
      connected({
        'macvlan.shop.kubernetes.io/allocated': 'true',
        'macvlan.shop.kubernetes.io/ip_address': '10.9.0.1',
      }),
    ),
    "its attachment is another CNI's, whatever switch it names": world(
      apps,
      connected(on('macvlan.shop', 'apps')),
    ),
    "it carries a machine, whose port has the machine's name": world(
      apps,
      connected({ ...on('ovn', 'apps'), 'ovn.kubernetes.io/virtualmachine': 'vm' }),
      port('vm.shop'),
    ),
    'its attachment is used twice, each time with its own port': world(
      data,
      connected(on('data.shop.ovn.net1', 'data')),
      port('web-0.shop.data.shop.ovn.net1'),
    ),
    "its port is anybody's": world(apps, connected(), port('web-0.shop', { external_ids: {} })),
  },
  unknown: {
    'neither its subnet nor a switch of that name exists': world(connected()),
    'the database is not read': world(apps, connected()).unlisted('Logical_Switch_Port'),
  },
  violation: {
    'its port is gone': {
      given: world(apps, connected(), port('web-1.shop')),
      summary: 'pod shop/web-0 runs without its port web-0.shop on apps',
      parts: ['metadata.annotations=ovn.kubernetes.io/allocated'],
    },
    'its subnet is gone, the switch is not': {
      given: world(logicalSwitch(), connected()),
      summary: 'pod shop/web-0 runs without its port web-0.shop on apps',
    },
    "only its attachment's port is gone": {
      given: world(
        apps,
        data,
        connected({ ...on('ovn', 'apps'), ...on('data.shop.ovn', 'data') }),
        port(),
      ),
      summary: 'pod shop/web-0 runs without its port web-0.shop.data.shop.ovn on data',
      parts: ['metadata.annotations=data.shop.ovn.kubernetes.io/allocated'],
    },
    'all its ports are gone': {
      given: world(apps, data, connected({ ...on('ovn', 'apps'), ...on('data.shop.ovn', 'data') })),
      summary: [
        'pod shop/web-0 runs without its port web-0.shop on apps',
        'pod shop/web-0 runs without its port web-0.shop.data.shop.ovn on data',
      ],
    },
    'it carries a machine, and only a port of its own name is there': {
      given: world(
        apps,
        connected({ ...on('ovn', 'apps'), 'ovn.kubernetes.io/virtualmachine': 'vm' }),
        port(),
      ),
      summary: 'pod shop/web-0 runs without its port vm.shop on apps',
    },
  },
});

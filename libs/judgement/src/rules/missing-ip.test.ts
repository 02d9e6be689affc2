import { ip, pod, port } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './missing-ip';

const on = (provider: string, ls: string, address = '10.17.0.10'): Record<string, string> => ({
  [`${provider}.kubernetes.io/allocated`]: 'true',
  [`${provider}.kubernetes.io/logical_switch`]: ls,
  [`${provider}.kubernetes.io/ip_address`]: address,
});
const connected = (
  annotations: Record<string, string> = on('ovn', 'apps'),
  over: Record<string, unknown> = {},
): Built<'Pod'> => pod('shop/web-0', { metadata: { annotations }, ...over });
const going = ip(
  'web-0.shop',
  {},
  {
    metadata: {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['kubeovn.io/kube-ovn-controller'],
    },
  },
);
const attachment = port('web-0.shop.data.shop.ovn', {
  external_ids: { vendor: 'kube-ovn', ls: 'data', pod: 'shop/web-0' },
});

testRule(rule, {
  healthy: {
    'it has its record': world(connected(), port(), ip('web-0.shop')),
    'it has no port either, which is another matter': world(connected()),
    'it is not connected yet': world(connected({}), port()),
    'the controller took the allocation back': world(
      connected({ ...on('ovn', 'apps'), 'ovn.kubernetes.io/allocated': 'false' }),
      port(),
    ),
    'it has no address yet': world(connected(on('ovn', 'apps', '')), port()),
    "it is on the host's network": world(
      connected(undefined, { spec: { hostNetwork: true } }),
      port(),
    ),
    'it is completed': world(connected(undefined, { status: { phase: 'Succeeded' } }), port()),
    'it goes, and its record with it': world(
      pod('shop/web-0', {
        metadata: { annotations: on('ovn', 'apps'), deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
      port(),
      going,
    ),
    "it carries a machine, whose record has the machine's name": world(
      connected({ ...on('ovn', 'apps'), 'ovn.kubernetes.io/virtualmachine': 'vm' }),
      port('vm.shop'),
      ip('vm.shop'),
    ),
    "its attachment is another CNI's, with no switch": world(
      connected({
        'macvlan.shop.kubernetes.io/allocated': 'true',
        'macvlan.shop.kubernetes.io/ip_address': '10.9.0.1',
      }),
    ),
  },
  unknown: { 'addresses are not listed': world(connected(), port()).unlisted('IP') },
  violation: {
    'its record is gone': {
      given: world(connected(), port(), ip('web-1.shop')),
      summary:
        'pod shop/web-0 runs with 10.17.0.10, and IP web-0.shop, the record of it, does not exist',
      parts: ['metadata.annotations=ovn.kubernetes.io/allocated'],
    },
    'its record is that of the pod before, and is being deleted': {
      given: world(connected(), port(), going),
      summary:
        'pod shop/web-0 runs with 10.17.0.10, and IP web-0.shop, the record of it, is being deleted (since 2026-01-01T00:00:00Z)',
      concerns: ['web-0.shop'],
    },
    'only the record of its attachment is gone': {
      given: world(
        connected({ ...on('ovn', 'apps'), ...on('data.shop.ovn', 'data', '172.20.0.9') }),
        port(),
        attachment,
        ip('web-0.shop'),
      ),
      summary:
        'pod shop/web-0 runs with 172.20.0.9, and IP web-0.shop.data.shop.ovn, the record of it, does not exist',
      parts: ['metadata.annotations=data.shop.ovn.kubernetes.io/allocated'],
    },
  },
});

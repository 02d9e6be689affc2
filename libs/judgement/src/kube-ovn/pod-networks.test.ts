import { entityOf, pod } from '../testing/builders';
import { isAlive, podNetworks } from './pod-networks';

const annotated = (annotations: Record<string, string>) =>
  entityOf(pod('shop/web-0', { metadata: { annotations } }));
const on = (provider: string, more: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries({
      allocated: 'true',
      logical_switch: 'apps',
      ip_address: '10.17.0.10',
      ...more,
    }).map(([key, value]) => [`${provider}.kubernetes.io/${key}`, value]),
  );

test.each([
  ['the default network', on('ovn'), ['web-0.shop']],
  ['an attachment', on('data.shop.ovn'), ['web-0.shop.data.shop.ovn']],
  [
    'an attachment used twice',
    { ...on('data.shop.ovn.net1'), ...on('data.shop.ovn.net2') },
    ['web-0.shop.data.shop.ovn.net1', 'web-0.shop.data.shop.ovn.net2'],
  ],
  ['a machine', on('ovn', { virtualmachine: 'vm' }), ['vm.shop']],
  [
    "a machine's attachment",
    on('data.shop.ovn', { virtualmachine: 'vm' }),
    ['vm.shop.data.shop.ovn'],
  ],
  ['another CNI', on('macvlan.shop'), []],
  ['addresses only', on('data.shop.ovn', { logical_switch: '' }), []],
  ['not allocated', on('ovn', { allocated: 'false' }), []],
  ['a provider too long', on('a.b.ovn.c.d'), []],
  ['nothing', {}, []],
])('the ports of %s', (_, annotations, expected) =>
  expect(podNetworks(annotated(annotations)).map((it) => it.portName)).toEqual(expected),
);

test.each([
  ['it runs', {}, true],
  ['it waits', { status: { phase: 'Pending' } }, true],
  ['it is completed', { status: { phase: 'Succeeded' } }, false],
  ['it failed', { status: { phase: 'Failed' } }, false],
  ["it is on the host's network", { spec: { hostNetwork: true } }, false],
  ['it is being deleted', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, false],
  ['nothing is said of it', { spec: {}, status: {} }, true],
])('alive: %s', (_, over, expected) =>
  expect(isAlive(entityOf(pod('shop/web-0', over)))).toBe(expected),
);

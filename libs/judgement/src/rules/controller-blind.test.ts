import { object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './controller-blind';

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`;
const lease = (holderIdentity = 'one', name = 'kube-ovn-controller') =>
  object('Lease', `kube-system/${name}`, { spec: { holderIdentity } });
const namespace = (annotations = { 'ovn.kubernetes.io/logical_switch': 'apps' }) =>
  object('Namespace', 'shop', { metadata: { annotations } });
const READY = [{ type: 'Ready', status: 'True' }];
const subnet = (
  status: Record<string, unknown> = { v4availableIPs: 9 },
  protocol = 'IPv4',
  spec: Record<string, unknown> = {},
) =>
  object('Subnet', 'apps', {
    spec: { protocol, ...spec },
    status: { conditions: READY, ...status },
  });
const served = (minute = 0) =>
  pod('shop/old', {
    metadata: {
      creationTimestamp: at(minute),
      annotations: { 'ovn.kubernetes.io/allocated': 'true' },
    },
  });
const waiting = (minutes: readonly number[], annotations: Record<string, string> = {}) =>
  minutes.map((minute) =>
    pod(`shop/new-${minute}`, {
      metadata: { creationTimestamp: at(minute), annotations },
      status: { phase: 'Pending' },
    }),
  );
const ground = [lease(), namespace(), subnet()];

testRule(rule, {
  healthy: {
    'it serves pods': world(...ground, served()),
    'a later pod was served': world(...ground, served(9), ...waiting([5, 6, 7])),
    'one was served within the same minute': world(...ground, served(7), ...waiting([5, 6, 7])),
    'two pods wait': world(...ground, served(), ...waiting([5, 6])),
    'it never served the default network': world(...ground, ...waiting([5, 6, 7])),
    'their subnet is full': world(
      lease(),
      namespace(),
      subnet({ v4availableIPs: 0 }),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'their subnet is full in one family': world(
      lease(),
      namespace(),
      subnet({ v4availableIPs: 9, v6availableIPs: 0 }, 'Dual'),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'their subnet is not there': world(lease(), namespace(), served(), ...waiting([5, 6, 7])),
    'their namespace has no subnet': world(
      lease(),
      namespace({} as never),
      subnet(),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'they ask for attachments': world(
      ...ground,
      served(),
      ...waiting([5, 6, 7], { 'k8s.v1.cni.cncf.io/networks': 'a' }),
    ),
    'they ask for addresses of their own': world(
      ...ground,
      served(),
      ...waiting([5, 6, 7], { 'ovn.kubernetes.io/ip_pool': 'a' }),
    ),
    'they name a Vip that does not exist': world(
      ...ground,
      served(),
      ...waiting([5, 6, 7], { 'ovn.kubernetes.io/vip': 'a' }),
    ),
    'they ask for one MAC address': world(
      ...ground,
      served(),
      ...waiting([5, 6, 7], { 'ovn.kubernetes.io/mac_address': '0a:00:00:00:00:01' }),
    ),
    'their namespace has a pool, which may be full': world(
      lease(),
      namespace({
        'ovn.kubernetes.io/logical_switch': 'apps',
        'ovn.kubernetes.io/ip_pool': 'blue',
      } as never),
      subnet(),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'what their subnet has left may be of a pool': world(
      ...ground,
      object('IPPool', 'blue', { spec: { subnet: 'apps' } }),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'the Vlan of their subnet is not there': world(
      lease(),
      namespace(),
      subnet({ v4availableIPs: 9 }, 'IPv4', { vlan: 'v7' }),
      object('Vlan', 'v8'),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'their subnet got no switch, as its Vpc is not there': world(
      lease(),
      namespace(),
      subnet({ v4availableIPs: 9, conditions: [{ type: 'Validated', status: 'True' }] }),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'nobody holds the Lease': world(
      lease(''),
      namespace(),
      subnet(),
      served(),
      ...waiting([5, 6, 7]),
    ),
    'it is another Lease': world(
      lease('node', 'worker-1'),
      namespace(),
      subnet(),
      served(),
      ...waiting([5, 6, 7]),
    ),
  },
  violation: {
    'no pod that was made since has an address': {
      given: world(...ground, served(), ...waiting([5, 6, 7, 8])),
      summary:
        "Kube-OVN's controller (one) holds Lease kube-system/kube-ovn-controller and serves no pod: 4 wait for an address, the first since 2026-01-01T10:05:00Z",
      concerns: ['new-5', 'new-6', 'new-7'],
    },
    'their subnet is on a Vlan, and another one has a pool': {
      given: world(
        lease(),
        namespace(),
        subnet({ v4availableIPs: 9 }, 'IPv4', { vlan: 'v7' }),
        object('Vlan', 'v7'),
        object('IPPool', 'blue', { spec: { subnet: 'other' } }),
        served(),
        ...waiting([5, 6, 7]),
      ),
      summary:
        "Kube-OVN's controller (one) holds Lease kube-system/kube-ovn-controller and serves no pod: 3 wait for an address, the first since 2026-01-01T10:05:00Z",
    },
    'an older pod waits for reasons of its own': {
      given: world(...ground, served(4), ...waiting([2, 5, 6, 7])),
      summary:
        "Kube-OVN's controller (one) holds Lease kube-system/kube-ovn-controller and serves no pod: 3 wait for an address, the first since 2026-01-01T10:05:00Z",
    },
  },
});

import { type Built, object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './pod-without-address';

const served = (annotations: Record<string, string> = {}, over: Record<string, unknown> = {}) =>
  pod('shop/served', {
    metadata: { annotations: { 'ovn.kubernetes.io/allocated': 'true', ...annotations } },
    ...over,
  });
const waiting = (
  annotations: Record<string, string> = {},
  over: Record<string, unknown> = {},
): Built<'Pod'> =>
  pod('shop/web-0', { metadata: { annotations }, status: { phase: 'Pending' }, ...over });
const controller = (flags: readonly string[], kind: 'Deployment' | 'ReplicaSet' = 'Deployment') =>
  object(kind, 'kube-system/kube-ovn-controller', { spec: { template: { spec: { flags } } } });
const says =
  "pod shop/web-0 is on node worker-1 and has no address of Kube-OVN's, so it does not start";

testRule(rule, {
  healthy: {
    'it has its address': world(served(), waiting({ 'ovn.kubernetes.io/allocated': 'true' })),
    'it has no node yet, as when a gate holds it': world(
      served(),
      waiting({}, { spec: { schedulingGates: [{ name: 'ovn-steward.dev/network-ready' }] } }),
    ),
    "it is on the host's network": world(
      served(),
      waiting({}, { spec: { nodeName: 'worker-1', hostNetwork: true } }),
    ),
    'it runs, connected by somebody else': world(
      served(),
      waiting({}, { status: { phase: 'Running' } }),
    ),
    'it completed': world(served(), waiting({}, { status: { phase: 'Succeeded' } })),
    'it failed': world(served(), waiting({}, { status: { phase: 'Failed' } })),
    'nobody says in which phase it is': world(served(), waiting({}, { status: {} })),
    'it is being deleted': world(
      served(),
      waiting({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'another network is its first': world(
      served(),
      waiting({ 'v1.multus-cni.io/default-network': 'vms/vm-main' }),
    ),
    'Kube-OVN serves attachments alone, as its controller is set': world(
      served(),
      waiting(),
      controller(['--non-primary-cni-mode']),
    ),
    'Kube-OVN connected no pod by itself': world(
      served({
        'ovn.kubernetes.io/allocated': 'false',
        'data.shop.ovn.kubernetes.io/allocated': 'true',
      }),
      waiting(),
    ),
  },
  violation: {
    'it waits': { given: world(served(), waiting()), summary: says },
    'its address was taken back': {
      given: world(served(), waiting({ 'ovn.kubernetes.io/allocated': 'false' })),
      summary: says,
    },
    'only its attachment has an address': {
      given: world(served(), waiting({ 'data.shop.ovn.kubernetes.io/allocated': 'true' })),
      summary: says,
    },
    'its controller is set to serve pods': {
      given: world(served(), waiting(), controller(['--non-primary-cni-mode=false'])),
      summary: says,
    },
    'a former set of its controller was set not to': {
      given: world(served(), waiting(), controller(['--non-primary-cni-mode=true'], 'ReplicaSet')),
      summary: says,
    },
  },
});

import { object, pod, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-vpc-nat-gateway-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const gateway = (metadata: Record<string, unknown> = going) =>
  object('VpcNatGateway', 'gw', { metadata });
const bfd = row('BFD', '', {
  uid: 'bfd',
  logical_port: 'bfd@tenant',
  dst_ip: '10.95.0.2',
  external_ids: { vendor: 'kube-ovn', af: '4', 'vpc-nat-gateway': 'gw' },
});
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const since = 'VpcNatGateway gw has been terminating since 2026-01-01T00:00:00Z:';

testRule(rule, {
  healthy: { 'it is not being deleted': world(gateway({}), bfd) },
  unknown: { 'pods are not listed': world(gateway()).unlisted('Pod') },
  violation: {
    'its set and pod are left': {
      given: world(
        gateway(),
        object('StatefulSet', 'kube-system/vpc-nat-gw-gw'),
        pod('kube-system/vpc-nat-gw-gw-0'),
      ),
      summary: `${since} what runs it has not been removed: Pod kube-system/vpc-nat-gw-gw-0, StatefulSet kube-system/vpc-nat-gw-gw`,
      noRemedy: true,
    },
    'a pod of another gateway may be its': {
      given: world(gateway(), pod('kube-system/vpc-nat-gw-gw-7f9c-x1')),
      summary: `${since} what runs it has not been removed: Pod kube-system/vpc-nat-gw-gw-7f9c-x1`,
      noRemedy: true,
    },
    'its pod is left, whatever it is called': {
      given: world(
        gateway(),
        pod('kube-system/edge-0', {
          metadata: { annotations: { 'ovn.kubernetes.io/vpc_nat_gw': 'gw' } },
        }),
      ),
      summary: `${since} what runs it has not been removed: Pod kube-system/edge-0`,
      noRemedy: true,
    },
    'its set is left under another prefix': {
      given: world(
        gateway(),
        object('StatefulSet', 'kube-system/nat-of-gw', {
          metadata: { labels: { 'ovn.kubernetes.io/vpc-nat-gw': 'true' } },
        }),
      ),
      summary: `${since} what runs it has not been removed: StatefulSet kube-system/nat-of-gw`,
      noRemedy: true,
    },
    'the pods of its Deployment would be its, whatever that is called': {
      given: world(
        gateway(),
        object('Deployment', 'kube-system/edge', {
          spec: {
            template: { metadata: { annotations: { 'ovn.kubernetes.io/vpc_nat_gw': 'gw' } } },
          },
        }),
      ),
      summary: `${since} what runs it has not been removed: Deployment kube-system/edge`,
      noRemedy: true,
    },
    'the parts of another gateway are none of its': {
      given: world(
        running,
        gateway(),
        pod('kube-system/nat-other-0', {
          metadata: { labels: { 'ovn.kubernetes.io/vpc-nat-gw': 'true' } },
        }),
        pod('shop/nat-gw-0'),
      ),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`,
      action: 'strip-finalizer',
    },
    'its session is left': {
      given: world(running, gateway(), bfd),
      summary: `${since} its rows have not been removed: BFD bfd`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its session is left': {
      given: world(gateway(), bfd),
      summary: `${since} its rows have not been removed: BFD bfd`,
      action: 'delete-bfd',
    },
    'nothing of it is left': {
      given: world(running, gateway()),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`,
      action: 'strip-finalizer',
    },
  },
});

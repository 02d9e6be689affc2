import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './uninstalled-load-balancer';

const left = row('Load_Balancer', 'cluster-tcp-loadbalancer', {
  external_ids: { vendor: 'kube-ovn' },
  options: { prefer_local_backend: 'false' },
  protocol: 'tcp',
});

testRule(rule, {
  healthy: {
    'a Subnet is there': world(left, object('Subnet', 'apps')),
    'a Vpc is there': world(left, object('Vpc', 'ovn-cluster')),
    'a controller is there': world(left, object('Deployment', 'kube-system/kube-ovn-controller')),
    "it is somebody else's": world(
      row('Load_Balancer', 'cluster-tcp-loadbalancer', { external_ids: { 'neutron:x': 'y' } }),
    ),
  },
  unknown: {
    'somebody still names it': world(
      left,
      row('Logical_Switch', 'apps', {
        external_ids: { vendor: 'kube-ovn' },
        load_balancer: ['Load_Balancer:cluster-tcp-loadbalancer'],
      }),
    ),
  },
  violation: {
    'Kube-OVN was taken away': {
      given: world(left),
      says: 'Load_Balancer cluster-tcp-loadbalancer was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
    'so were its definitions': {
      given: world(left).notInstalled('Vpc', 'Subnet'),
      says: 'Load_Balancer cluster-tcp-loadbalancer was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
  },
});

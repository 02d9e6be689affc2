import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './uninstalled-address-set';

const left = row('Address_Set', 'pool.pay', {
  external_ids: { vendor: 'kube-ovn', ippool: 'pool-pay' },
});

testRule(rule, {
  healthy: {
    'a Subnet is there': world(left, object('Subnet', 'apps')),
    'a Vpc is there': world(left, object('Vpc', 'ovn-cluster')),
    'a controller is there': world(left, object('Deployment', 'kube-system/kube-ovn-controller')),
    "it is somebody else's": world(
      row('Address_Set', 'pool.pay', { external_ids: { 'neutron:x': 'y' } }),
    ),
  },
  unknown: {
    'somebody still names it': world(
      left,
      row('ACL', '', {
        uid: 'acl',
        match: 'ip4.src == $pool.pay',
        external_ids: { vendor: 'kube-ovn', parent: 'other' },
      }),
    ),
  },
  violation: {
    'Kube-OVN was taken away': {
      given: world(left),
      says: 'Address_Set pool.pay was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
    'so were its definitions': {
      given: world(left).notInstalled('Vpc', 'Subnet'),
      says: 'Address_Set pool.pay was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
  },
});

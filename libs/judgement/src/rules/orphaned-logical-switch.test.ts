import { logicalSwitch, object, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-logical-switch';

testRule(rule, {
  healthy: {
    'its Subnet is there': world(logicalSwitch(), object('Subnet', 'apps')),
    'a controller is there, whose affair it is': world(
      logicalSwitch(),
      object('Deployment', 'elsewhere/kube-ovn-controller'),
    ),
    'a controller is scaled to nothing, and not gone': world(
      logicalSwitch(),
      object('Deployment', 'kube-system/kube-ovn-controller', { spec: { replicas: 0 } }),
    ),
    'a transit switch': world(logicalSwitch('ts1')),
    'the switch of the external network, which has no Subnet': world(logicalSwitch('ovn-external')),
    "it is Neutron's": world(
      logicalSwitch('neutron-1', { external_ids: { 'neutron:network_name': 'x' } }),
    ),
    'nobody says whose it is': world(logicalSwitch('apps', { external_ids: {} })),
    "a port of Neutron's is in it": world(
      logicalSwitch(),
      port('x', { external_ids: { 'neutron:port_name': 'x' } }),
    ),
  },
  unknown: {
    'a port of it may be used': world(logicalSwitch(), port()),
    'chassis hold ports of other switches up, so the network is in use': world(
      logicalSwitch(),
      logicalSwitch('db'),
      port('db-0.shop', { ls: 'db', up: true }),
    ),
  },
  violation: {
    'Kube-OVN was taken away': {
      given: world(logicalSwitch()),
      summary:
        'switch apps is of Subnet apps, which no longer exists, and no Kube-OVN controller is left to remove it',
    },
    'so were its definitions': {
      given: world(logicalSwitch()).notInstalled('Subnet'),
      summary:
        'switch apps is of Subnet apps, which no longer exists, and no Kube-OVN controller is left to remove it',
    },
  },
});

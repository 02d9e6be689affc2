import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './uninstalled-ha-chassis-group';

const left = row('HA_Chassis_Group', 'bfd@tenant', {
  external_ids: { vendor: 'kube-ovn', lrp: 'bfd@tenant' },
});

testRule(rule, {
  healthy: {
    'a Subnet is there': world(left, object('Subnet', 'apps')),
    'a Vpc is there': world(left, object('Vpc', 'ovn-cluster')),
    'a controller is there': world(left, object('Deployment', 'kube-system/kube-ovn-controller')),
    "it is somebody else's": world(
      row('HA_Chassis_Group', 'bfd@tenant', { external_ids: { 'neutron:x': 'y' } }),
    ),
  },
  unknown: {
    'somebody still names it': world(
      row('HA_Chassis_Group', 'bfd@tenant', {
        external_ids: { vendor: 'kube-ovn', lrp: 'bfd@tenant' },
        _parents: [{ kind: 'Logical_Router_Port', uid: 'port', column: 'ha_chassis_group' }],
      }),
      row('Logical_Router_Port', 'bfd@tenant', {
        uid: 'port',
        external_ids: { vendor: 'kube-ovn', lr: 'tenant' },
      }),
    ),
  },
  violation: {
    'Kube-OVN was taken away': {
      given: world(left),
      says: 'HA_Chassis_Group bfd@tenant was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
    'so were its definitions': {
      given: world(left).notInstalled('Vpc', 'Subnet'),
      says: 'HA_Chassis_Group bfd@tenant was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
  },
});

import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-ha-chassis-group';

const group = (
  name = 'bfd@blue',
  columns: Record<string, unknown> = {},
): Built<'HA_Chassis_Group'> =>
  row('HA_Chassis_Group', name, {
    uid: 'group',
    external_ids: { vendor: 'kube-ovn', lrp: name },
    ...columns,
  });
const says = 'HA chassis group bfd@blue was made for Vpc blue, which no longer exists';

testRule(rule, {
  healthy: {
    'its Vpc is there': world(group(), object('Vpc', 'blue')),
    'its router still stands': world(
      group(),
      row('Logical_Router', 'blue', { external_ids: { vendor: 'kube-ovn' } }),
    ),
    "it is no group of a Vpc's": world(group('default_ha_chassis_group')),
    'it has no tag': world(group('bfd@blue', { external_ids: { lrp: 'bfd@blue' } })),
    'its key names another port': world(
      group('bfd@blue', { external_ids: { vendor: 'kube-ovn', lrp: 'bfd@red' } }),
    ),
    "a key of somebody else's is on it": world(
      group('bfd@blue', {
        external_ids: {
          vendor: 'kube-ovn',
          lrp: 'bfd@blue',
          'neutron:availability_zone_hints': '',
        },
      }),
    ),
  },
  unknown: {
    'a port has it': world(
      group('bfd@blue', {
        _parents: [
          {
            kind: 'Logical_Router_Port',
            uid: 'Logical_Router_Port:bfd@blue',
            column: 'ha_chassis_group',
          },
        ],
      }),
      row('Logical_Router_Port', 'bfd@blue', { external_ids: { vendor: 'kube-ovn', lr: 'blue' } }),
    ),
  },
  violation: {
    'its Vpc and its router are gone': {
      given: world(group(), object('Vpc', 'red'), row('Logical_Router', 'red', {})),
      summary: says,
    },
  },
});

import { row } from '../testing/builders';
import { testUninstalled } from '../testing/uninstalled';
import { world } from '../testing/world-builder';
import rule from './uninstalled-ha-chassis-group';

const left = row('HA_Chassis_Group', 'bfd@tenant', {
  external_ids: { vendor: 'kube-ovn', lrp: 'bfd@tenant' },
});

testUninstalled(
  rule,
  left,
  world(
    row('HA_Chassis_Group', 'bfd@tenant', {
      external_ids: { vendor: 'kube-ovn', lrp: 'bfd@tenant' },
      _parents: [{ kind: 'Logical_Router_Port', uid: 'port', column: 'ha_chassis_group' }],
    }),
    row('Logical_Router_Port', 'bfd@tenant', {
      uid: 'port',
      external_ids: { vendor: 'kube-ovn', lr: 'tenant' },
    }),
  ),
);

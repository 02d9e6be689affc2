import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './security-groups-share-group';

const group = row('Port_Group', 'ovn.sg.web.a', { external_ids: { vendor: 'kube-ovn' } });
const LEAVING = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const one = object('SecurityGroup', 'web-a');
const other = object('SecurityGroup', 'web.a');

testRule(rule, {
  healthy: {
    'each has a group of its own': world(one, object('SecurityGroup', 'web-b'), group),
    'nothing has its name but another kind': world(one, object('IPPool', 'ovn.sg.web.a'), group),
    'the other is being deleted': world(one, object('SecurityGroup', 'web.a', LEAVING), group),
    'it is being deleted': world(object('SecurityGroup', 'web-a', LEAVING), other, group),
    'Kube-OVN made no group': world(one, other),
  },
  violation: {
    'they differ in a dash and a dot': {
      given: world(one, other, group),
      summary:
        'SecurityGroup web-a has one port group with web.a in OVN, ovn.sg.web.a: only one of them is enforced',
      concerns: ['web.a'],
    },
  },
});

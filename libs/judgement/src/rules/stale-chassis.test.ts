import { chassis, databasePair, object, readyNode, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-chassis';

const both = databasePair();
const gone = chassis('edge-1');

testRule(rule, {
  healthy: {
    'its node is there': world(...both, chassis(), readyNode()),
    'a node of another name has it': world(
      ...both,
      gone,
      readyNode('worker-1', { annotations: { 'ovn.kubernetes.io/chassis': 'chassis-of-edge-1' } }),
    ),
    "it is somebody else's": world(...both, chassis('edge-1', { external_ids: {} })),
    'it says of no host': world(...both, chassis('edge-1', { hostname: '' })),
  },
  unknown: {
    'the Southbound is that of another network': world(
      ...databasePair({ mac_prefix: '36:c0:93', svc_monitor_mac: '02:00:00:00:00:01' }),
      gone,
    ),
    'ovn-northd wrote neither database': world(
      row('NB_Global', '', { uid: 'n' }),
      row('SB_Global', '', { uid: 's' }),
      gone,
    ),
    'two rows speak of the Southbound': world(...both, row('SB_Global', '', { uid: 's' }), gone),
  },
  violation: {
    'its node is gone': {
      given: world(...both, gone, chassis(), readyNode(), object('Node', 'edge-2')),
      summary: 'chassis chassis-of-edge-1 is of node edge-1, which does not exist',
    },
  },
});

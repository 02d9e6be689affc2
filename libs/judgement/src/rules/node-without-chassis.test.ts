import { chassis, databasePair, readyNode, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './node-without-chassis';

const both = databasePair();
const other = [chassis('worker-2'), readyNode('worker-2')];
const addressed = readyNode('worker-1', {
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [{ type: 'InternalIP', address: '192.168.10.11' }],
  },
});
const encap = (ip: string) =>
  row('Encap', '', { uid: ip, ip, type: 'geneve', chassis_name: 'former' });

testRule(rule, {
  healthy: {
    'it has the chassis it names': world(...both, chassis('x', { hostname: 'h' }), readyNode('x')),
    'a chassis of its name is there': world(
      ...both,
      chassis('worker-1'),
      readyNode('worker-1', { annotations: { 'ovn.kubernetes.io/chassis': 'former' } }),
    ),
    'it is not ready': world(
      ...both,
      ...other,
      readyNode('worker-1', { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }),
    ),
    'it is being deleted': world(
      ...both,
      ...other,
      readyNode('worker-1', {
        metadata: {
          deletionTimestamp: '2026-01-01T00:00:00Z',
          annotations: {
            'ovn.kubernetes.io/allocated': 'true',
            'ovn.kubernetes.io/chassis': 'chassis-of-worker-1',
          },
        },
      }),
    ),
    'Kube-OVN never found one there': world(
      ...both,
      readyNode('worker-1', { annotations: { 'ovn.kubernetes.io/chassis': '' } }),
    ),
    'Kube-OVN has not taken it in': world(
      ...both,
      readyNode('worker-1', { annotations: { 'ovn.kubernetes.io/allocated': 'false' } }),
    ),
  },
  unknown: {
    'the Southbound is that of another network': world(...databasePair({}), ...other, readyNode()),
  },
  violation: {
    'none is registered': {
      given: world(...both, ...other, addressed, encap('192.168.10.12')),
      summary: 'Node worker-1 is ready and has no chassis in the Southbound',
      concerns: [],
    },
    'the rest of its former self keeps it from registering': {
      given: world(...both, ...other, addressed, encap('192.168.10.11')),
      summary:
        'Node worker-1 is ready and has no chassis in the Southbound: 192.168.10.11 still ends a tunnel of chassis former',
      concerns: ['192.168.10.11'],
    },
  },
});

import { chassis, databasePair, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './gateway-chassis-missing';

const both = databasePair();
const port = (external_ids: Record<string, string> = { vendor: 'kube-ovn' }) =>
  row('Logical_Router_Port', 'vpc-external', { external_ids });
const onChassis = (chassis_name: string) =>
  row('Gateway_Chassis', `vpc-external-${chassis_name}`, {
    chassis_name,
    _parents: [
      {
        kind: 'Logical_Router_Port',
        uid: 'Logical_Router_Port:vpc-external',
        column: 'gateway_chassis',
      },
    ],
  });

testRule(rule, {
  healthy: {
    'its chassis is there': world(...both, port(), onChassis('chassis-of-worker-1'), chassis()),
    "the port is somebody else's": world(
      ...both,
      port({}),
      onChassis('neutron-ovn-invalid-chassis'),
    ),
    'the port is not there': world(...both, onChassis('x')),
    'it names none': world(...both, port(), onChassis('')),
  },
  unknown: {
    'the Southbound is that of another network': world(
      ...databasePair({}),
      port(),
      onChassis('gone'),
    ),
  },
  violation: {
    'it is the only one': {
      given: world(...both, port(), onChassis('gone'), chassis()),
      summary:
        'router port vpc-external is to live on chassis gone, which is not there, beside no other',
      concerns: ['vpc-external'],
    },
    'there is another': {
      given: world(...both, port(), onChassis('gone'), onChassis('chassis-of-worker-1'), chassis()),
      summary:
        'router port vpc-external is to live on chassis gone, which is not there, beside one other',
    },
    'there are more': {
      given: world(
        ...both,
        port(),
        onChassis('gone'),
        onChassis('chassis-of-worker-1'),
        onChassis('chassis-of-worker-2'),
        chassis(),
        chassis('worker-2'),
      ),
      summary:
        'router port vpc-external is to live on chassis gone, which is not there, beside 2 others',
    },
  },
});

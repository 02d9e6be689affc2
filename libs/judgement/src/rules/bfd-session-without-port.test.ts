import type { Built } from '../testing/builders';
import { port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './bfd-session-without-port';

const session = (
  external_ids: Record<string, string> = {},
  logical_port = 'tenant-ext',
): Built<'BFD'> =>
  row('BFD', '', { uid: 'bfd', logical_port, dst_ip: '198.51.100.1', external_ids });
const says =
  'the BFD session to 198.51.100.1 is on port tenant-ext, which does not exist, and no route and no policy follows it';

testRule(rule, {
  healthy: {
    'its port is there': world(session(), row('Logical_Router_Port', 'tenant-ext')),
    'its port is of a switch': world(session(), port('tenant-ext')),
    'a route follows it': world(
      session({ vendor: 'kube-ovn' }),
      row('Logical_Router_Static_Route', '', {
        uid: 'route',
        ip_prefix: '0.0.0.0/0',
        bfd: 'bfd',
        external_ids: { vendor: 'kube-ovn' },
      }),
    ),
    'it is of a gateway: that is another finding': world(
      session({ vendor: 'kube-ovn', 'vpc-egress-gateway': 'shop/out', af: '4' }),
    ),
    'it is Neutron’s': world(session({ 'neutron:router_id': 'x' })),
    'it names no port': world(session({}, '')),
  },
  violation: {
    'its port went with the Vpc': { given: world(session()), summary: says },
    'another port is there': {
      given: world(session(), row('Logical_Router_Port', 'other-ext')),
      summary: says,
    },
  },
});

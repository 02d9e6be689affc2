import { object, row } from '../testing/builders';
import { egressGateway, policy, session } from '../testing/monitored-gateway';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './bfd-session-unused';

const OF_NAT = { vendor: 'kube-ovn', 'vpc-nat-gateway': 'nat', af: '4' };
const natGateway = (spec: Record<string, unknown> = { bfd: { enabled: true } }) =>
  object('VpcNatGateway', 'nat', { spec, status: { ready: true } });
const unused = session('idle', { dst_ip: '10.60.0.10' });
const says =
  'no router policy of VpcEgressGateway edge/out uses its BFD session to 10.60.0.10 on bfd@blue';

testRule(rule, {
  healthy: {
    'a policy uses it': world(egressGateway(), unused, policy('p', ['idle', 'other'])),
    'one of several policies uses it, as with traffic that stays on its node': world(
      egressGateway(),
      unused,
      policy('p', ['other']),
      policy('q', ['idle'], { priority: 29150 }),
    ),
    'a route of somebody uses it': world(
      egressGateway(),
      unused,
      policy('p', ['other']),
      row('Logical_Router_Static_Route', '', { uid: 'route', bfd: 'idle' }),
    ),
    'the gateway has no policies: that is another finding': world(egressGateway(), unused),
    'it has none of that family': world(
      egressGateway(),
      unused,
      policy('p', [], {}, { vendor: 'kube-ovn', 'vpc-egress-gateway': 'edge/out', af: '6' }),
    ),
    'its policies only drop': world(egressGateway(), unused, policy('p', [], { action: 'drop' })),
    'the gateway is not ready': world(
      egressGateway({ status: { ready: false } }),
      unused,
      policy('p', ['other']),
    ),
    'BFD is being switched off': world(
      egressGateway({ spec: { bfd: { enabled: false } } }),
      unused,
      policy('p', []),
    ),
    'the gateway is being deleted': world(
      egressGateway({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      unused,
      policy('p', ['other']),
    ),
    'the gateway is gone: that is another finding': world(unused, policy('p', ['other'])),
    'it is of the physical gateway of a Vpc, without a key': world(
      session('ext', { logical_port: 'blue-external' }, {}),
    ),
    'it is of a NAT gateway that has no internal networks': world(
      natGateway(),
      session('idle', {}, OF_NAT),
    ),
    'its tag is of somebody else': world(
      egressGateway(),
      session('idle', {}, { 'vpc-egress-gateway': 'edge/out', af: '4' }),
      policy('p', ['other']),
    ),
  },
  violation: {
    'the policies of its gateway name another': {
      given: world(egressGateway(), unused, policy('p', ['other']), policy('q', [])),
      summary: says,
      concerns: ['edge/out', 'p', 'q'].map((it) => it.split('/').at(-1)!),
    },
    'those of its NAT gateway name none': {
      given: world(
        natGateway(),
        session('idle', {}, OF_NAT),
        policy('p', [], { priority: 29200 }, OF_NAT),
      ),
      summary:
        'no router policy of VpcNatGateway nat uses its BFD session to 10.60.0.9 on bfd@blue',
    },
  },
});

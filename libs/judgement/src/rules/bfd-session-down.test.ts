import { binding, chassis, databasePair, object } from '../testing/builders';
import { egressGateway, policy, session } from '../testing/monitored-gateway';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './bfd-session-down';

const OF_NAT = { vendor: 'kube-ovn', 'vpc-nat-gateway': 'nat', af: '4' };
const down = session('dead', { status: 'down' });
const another = session('alive', { dst_ip: '10.60.0.10' });
const both = policy('p', ['alive', 'dead']);
const claimed = binding('cr-bfd@blue', 'worker-1', { uid: 'claim' });
const says =
  'the BFD session of ready VpcEgressGateway edge/out to 10.60.0.9 on bfd@blue is down: no traffic goes to that peer';

testRule(rule, {
  healthy: {
    'it is up': world(egressGateway(), another, session('dead'), both),
    'it is on its way up': world(
      egressGateway(),
      another,
      session('dead', { status: 'init' }),
      both,
    ),
    'nobody says what it is': world(
      egressGateway(),
      another,
      session('dead', { status: undefined }),
      both,
    ),
    'no session is up at all, as where no chassis sends BFD': world(egressGateway(), down, both),
    'none is up, and no chassis claimed the router port': world(
      ...databasePair(),
      chassis('worker-1'),
      binding('cr-bfd@blue', '', { uid: 'claim' }),
      egressGateway(),
      down,
      both,
    ),
    'none is up, and the chassis that claimed it is gone': world(
      ...databasePair(),
      chassis('worker-2'),
      claimed,
      egressGateway(),
      down,
      both,
    ),
    'none is up, and the Southbound may be that of another network': world(
      chassis('worker-1'),
      claimed,
      egressGateway(),
      down,
      both,
    ),
    'its peer is no pod of the gateway any more': world(
      egressGateway({ status: { internalIPs: ['10.60.0.10'] } }),
      another,
      down,
      both,
    ),
    'no policy uses it: that is another finding': world(
      egressGateway(),
      another,
      down,
      policy('p', ['alive']),
    ),
    'the gateway is not ready': world(
      egressGateway({ status: { ready: false } }),
      another,
      down,
      both,
    ),
    'the gateway is being deleted': world(
      egressGateway({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      another,
      down,
      both,
    ),
    'it is to the physical gateway of a Vpc, which no route uses': world(
      another,
      session('ext', { status: 'admin_down', logical_port: 'blue-external' }, {}),
    ),
  },
  violation: {
    'it is down, another is up': {
      given: world(egressGateway(), another, down, both),
      summary: says,
    },
    'it was set down, though a policy uses it': {
      given: world(egressGateway(), another, session('dead', { status: 'admin_down' }), both),
      summary: says.replace('is down', 'is admin_down'),
    },
    'all are down, and a chassis has claimed the router port': {
      given: world(...databasePair(), chassis('worker-1'), claimed, egressGateway(), down, both),
      summary: says,
      concerns: ['cr-bfd@blue', 'out'],
    },
    'its peer is an IPv6 address': {
      given: world(
        egressGateway(),
        another,
        session('dead', { status: 'down', dst_ip: 'fd00:0::10' }),
        both,
      ),
      summary: says.replace('10.60.0.9', 'fd00:0::10'),
    },
    'it is of a NAT gateway': {
      given: world(
        object('VpcNatGateway', 'nat', {
          spec: { bfd: { enabled: true } },
          status: { ready: true },
        }),
        another,
        session('dead', { status: 'down' }, OF_NAT),
        policy('p', ['dead'], { priority: 29200 }, OF_NAT),
      ),
      summary:
        'the BFD session of ready VpcNatGateway nat to 10.60.0.9 on bfd@blue is down: no traffic goes to that peer',
    },
  },
});

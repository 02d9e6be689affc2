import { type Built, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-egress-gateway-without-policies';

const gateway = (
  spec: Record<string, unknown> = { policies: [{ subnets: ['apps'] }] },
  status: Record<string, unknown> = { ready: true },
  metadata: Record<string, unknown> = {},
): Built => object('VpcEgressGateway', 'edge/out', { spec, status, metadata });
const policy = (of = 'edge/out', key = 'vpc-egress-gateway'): Built =>
  row('Logical_Router_Policy', '', { uid: 'policy', external_ids: { [key]: of } });
const session = row('BFD', '', {
  uid: 'session',
  external_ids: { 'vpc-egress-gateway': 'edge/out' },
});
const SAYS = 'VpcEgressGateway edge/out is ready, and no router policy sends traffic to it';

testRule(rule, {
  healthy: {
    'it has a policy': world(gateway(), policy()),
    'none of its pods is ready': world(gateway(undefined, { ready: false })),
    'nothing was said of it yet': world(gateway(undefined, {})),
    'it is for nothing': world(gateway({})),
    'it is scaled to nothing, which Kube-OVN calls ready': world(
      gateway({ replicas: 0, policies: [{ subnets: ['apps'] }] }),
    ),
    'it is being deleted': world(
      gateway(undefined, undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
  },
  violation: {
    'its policies are gone': {
      given: world(gateway(), policy('edge/other'), policy('edge/out', 'vpc-nat-gateway'), session),
      summary: SAYS,
      concerns: ['session'],
    },
    'those for the pods it selects are': {
      given: world(gateway({ selectors: [{}] })),
      summary: SAYS,
    },
  },
});

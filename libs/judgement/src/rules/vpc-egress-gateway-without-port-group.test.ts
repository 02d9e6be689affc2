import { type Built, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-egress-gateway-without-port-group';

const GROUP = 'VEG.0123456789ab';
const KEYS = { vendor: 'kube-ovn', 'vpc-egress-gateway': 'tenant/egress', af: '4' };
const gateway = (
  spec: Record<string, unknown> = { selectors: [{ podSelector: { matchLabels: { app: 'web' } } }] },
  metadata: Record<string, unknown> = {},
): Built<'VpcEgressGateway'> => object('VpcEgressGateway', 'tenant/egress', { spec, metadata });
const policy = (match = `ip4.src == $${GROUP}_ip4`, ids: Record<string, string> = KEYS) =>
  row('Logical_Router_Policy', '', { uid: match, priority: 29100, match, external_ids: ids });
const group = row('Port_Group', GROUP, { external_ids: KEYS });
const says = (what: string) =>
  `VpcEgressGateway tenant/egress selects pods, and its port group ${GROUP} does not exist: ${what}`;

testRule(rule, {
  healthy: {
    'its group is there': world(gateway(), policy(), group),
    'it is for subnets, and an empty set is in the stead of the group': world(
      gateway({ policies: [{ subnets: ['apps'] }] }),
      policy(),
      row('Address_Set', `${GROUP}_ip4`, { external_ids: KEYS }),
    ),
    'it is for subnets, of an older release': world(gateway({ selectors: [] }), policy()),
    'a set of that name is there': world(gateway(), policy(), row('Address_Set', `${GROUP}_ip4`)),
    'it has no policies yet': world(gateway()),
    'its policies name another set': world(gateway(), policy(`ip4.src == $${GROUP}.ipv4`)),
    'the policy is another gateway’s': world(
      gateway(),
      policy(undefined, { ...KEYS, 'vpc-egress-gateway': 'tenant/other' }),
    ),
    'it is being deleted': world(
      gateway(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      policy(),
    ),
  },
  violation: {
    'its group is gone': {
      given: world(
        gateway(),
        policy(),
        policy(`ip4.src == $${GROUP}.ipv4`),
        row('Port_Group', 'VEG.ba9876543210'),
      ),
      summary: says('1 of its router policies matches nothing'),
    },
    'its group is gone, of both families and of a node': {
      given: world(
        gateway(),
        policy(),
        policy(`ip6.src == $${GROUP}_ip6`),
        policy(`ip4.src == $node.worker.1_ip4 && ip4.src == $${GROUP}_ip4`),
      ),
      summary: says('3 of its router policies match nothing'),
    },
  },
});

import { egressGatewayName } from '../ownership/grammar/names';
import { egressGateway, OF_GATEWAY, policy } from '../testing/monitored-gateway';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-egress-gateway-policy-missing';

const STEM = egressGatewayName('edge/out');
const gateway = (
  spec: Record<string, unknown> = {},
  status: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
) =>
  egressGateway({
    spec: { policies: [{ subnets: ['apps'] }], bfd: { enabled: false }, ...spec },
    status: { internalIPs: ['10.60.0.9'], ...status },
    metadata,
  });
const pods = (family = 4, priority = 29100) =>
  policy(`pods ${priority} ${family}`, [], {
    priority,
    match: `ip${family}.src == $${STEM}_ip${family}`,
    external_ids: { ...OF_GATEWAY, af: String(family) },
  });
const sources = (family = 4, priority = 29100) =>
  policy(`sources ${priority} ${family}`, [], {
    priority,
    match: `ip${family}.src == $${STEM}.ipv${family}`,
    external_ids: { ...OF_GATEWAY, af: String(family) },
  });
const says = (what: string) =>
  `VpcEgressGateway edge/out is ready, and one of its router policies is missing: ${what}`;

testRule(rule, {
  healthy: {
    'it has those for its pods and its networks': world(gateway(), pods(), sources()),
    'it selects no pods': world(gateway({ selectors: [] }), sources()),
    'it is for no networks': world(gateway({ policies: [] }), pods()),
    'with BFD it has those that drop, too': world(
      gateway({ bfd: { enabled: true } }),
      ...[29100, 29090].flatMap((it) => [pods(4, it), sources(4, it)]),
    ),
    'none of its pods has an IPv6 address': world(
      gateway({}, { internalIPs: ['10.60.0.9', '10.60.0.10'] }),
      pods(),
      sources(),
    ),
    'nothing says which addresses its pods have': world(
      gateway({}, { internalIPs: undefined }),
      pods(),
    ),
    'all are gone: that is another finding': world(gateway()),
    'its release writes them in another form': world(
      gateway(),
      policy('p', [], { match: 'ip4.src == 10.60.0.0/24' }),
    ),
    'it is not ready': world(gateway({}, { ready: false }), pods()),
    'it is being deleted': world(
      gateway({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      pods(),
    ),
  },
  violation: {
    'that for its networks is gone': {
      given: world(gateway(), pods()),
      summary: says(`29100 ip4.src == $${STEM}.ipv4`),
      parts: [`Logical_Router_Policy=29100 ip4.src == $${STEM}.ipv4`],
      concerns: ['pods 29100 4'],
    },
    'that for its pods is gone, others keep traffic on its node': {
      given: world(
        gateway({ trafficPolicy: 'Local' }),
        sources(),
        policy('local', [], {
          priority: 29150,
          match: `ip4.src == $node.worker_ip4 && ip4.src == $${STEM}_ip4`,
        }),
      ),
      summary: says(`29100 ip4.src == $${STEM}_ip4`),
    },
    'one that drops is gone': {
      given: world(gateway({ bfd: { enabled: true } }), pods(), sources(), pods(4, 29090)),
      summary: says(`29090 ip4.src == $${STEM}.ipv4`),
    },
    'those of one family are gone': {
      given: world(gateway({}, { internalIPs: ['10.60.0.9,fd00::9'] }), pods(), sources()),
      summary: [`29100 ip6.src == $${STEM}_ip6`, `29100 ip6.src == $${STEM}.ipv6`].map(says),
    },
  },
});

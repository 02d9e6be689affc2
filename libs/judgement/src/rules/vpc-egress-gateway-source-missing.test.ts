import { egressGatewayName } from '../ownership/grammar/names';
import { object, row } from '../testing/builders';
import { egressGateway, OF_GATEWAY, policy } from '../testing/monitored-gateway';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './vpc-egress-gateway-source-missing';

const STEM = egressGatewayName('edge/out');
const gateway = (
  policies: readonly unknown[] = [{ subnets: ['apps'], ipBlocks: ['10.9.0.0/16'] }],
  status: Record<string, unknown> = {},
) => egressGateway({ spec: { policies }, status });
const follows = policy('p', [], { match: `ip4.src == $${STEM}.ipv4` });
const subnet = (cidrBlock = '10.60.0.0/24', metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', { spec: { cidrBlock }, metadata });
const set = (addresses: readonly string[], name = `${STEM}.ipv4`) =>
  row('Address_Set', name, { uid: name, addresses, external_ids: OF_GATEWAY });
const says = (what: string, of = `${STEM}.ipv4`, how = 'have it') =>
  `VpcEgressGateway edge/out is for ${what}, and address set ${of} of its router policies does not ${how}`;

testRule(rule, {
  healthy: {
    'the set has them': world(
      gateway(),
      follows,
      subnet(),
      set(['10.60.0.0/24', '10.9.0.0/16', '10.1.0.0/16']),
    ),
    'in another spelling': world(
      gateway([{ ipBlocks: ['10.9.7.7/16', '10.3.0.1'] }]),
      follows,
      set(['10.9.0.0/16', '10.3.0.1/32']),
    ),
    'the subnet is gone: that is for Kube-OVN to say': world(
      gateway(),
      follows,
      set(['10.9.0.0/16']),
    ),
    'the subnet is being deleted': world(
      gateway(),
      follows,
      subnet(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      set(['10.9.0.0/16']),
    ),
    'it is for pods only': world(gateway([]), follows, set([])),
    'what is no network': world(gateway([{ ipBlocks: ['apps', ''] }]), follows, set([])),
    'no policy uses the set: that is another finding': world(
      gateway(),
      policy('p', [], { match: `ip4.src == $${STEM}_ip4` }),
      subnet(),
      set([]),
    ),
    'it is not ready': world(gateway(undefined, { ready: false }), follows, subnet(), set([])),
    'of IPv6, which its pods have not': world(
      gateway([{ ipBlocks: ['fd00:9::/64'] }], { internalIPs: ['10.60.0.9'] }),
      follows,
      policy('q', [], { match: `ip6.src == $${STEM}.ipv6` }),
      set([], `${STEM}.ipv6`),
    ),
  },
  violation: {
    'the subnet was created again with another CIDR': {
      given: world(
        gateway(),
        follows,
        subnet('10.61.0.0/24,fd00:61::/64'),
        set(['10.60.0.0/24', '10.9.0.0/16']),
      ),
      summary: says('subnet apps, 10.61.0.0/24'),
      parts: ['spec.policies=10.61.0.0/24'],
      concerns: [`${STEM}.ipv4`, 'apps'],
    },
    'a block is missing': {
      given: world(gateway([{ ipBlocks: ['10.9.0.0/16'] }]), follows, set([])),
      summary: says('10.9.0.0/16'),
    },
    'the set is gone': {
      given: world(gateway([{ ipBlocks: ['10.9.0.0/16'] }]), follows),
      summary: says('10.9.0.0/16', undefined, 'exist'),
    },
    'of IPv6': {
      given: world(
        gateway([{ ipBlocks: ['fd00:9::/64'] }]),
        policy('q', [], { match: `ip6.src == $${STEM}.ipv6` }),
        set([], `${STEM}.ipv6`),
      ),
      summary: says('fd00:9::/64', `${STEM}.ipv6`),
    },
  },
});

import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './load-balancer-vip-of-other-vpc';

const vpc = (name: string) =>
  object('Vpc', name, { status: { tcpLoadBalancer: `vpc-${name}-tcp-load` } });
const balancer = (name: string, vips: readonly string[] = ['10.96.0.1:80']) =>
  row('Load_Balancer', name, {
    vips: Object.fromEntries(vips.map((it) => [it, '10.60.0.2:8080'])),
    external_ids: { vendor: 'kube-ovn' },
  });
const ofA = balancer('vpc-a-tcp-load');
const service = (key: string, at: string, over: Record<string, unknown> = {}, metadata = {}) =>
  object('Service', key, {
    spec: { clusterIP: '10.96.0.1', ports: [{ port: 80 }], ...over },
    metadata: { annotations: { 'ovn.kubernetes.io/vpc': at }, ...metadata },
  });
const says =
  'load balancer vpc-a-tcp-load of VPC a answers 10.96.0.1:80/tcp, which Service shop/web asks for in VPC b';

testRule(rule, {
  healthy: {
    'the Service is served in this VPC': world(vpc('a'), vpc('b'), ofA, service('shop/web', 'a')),
    'Services of both VPCs have the address': world(
      vpc('a'),
      ofA,
      service('shop/web', 'b'),
      service('shop/web-2', 'a'),
    ),
    'one of those that have the address is not served yet': world(
      vpc('a'),
      ofA,
      service('shop/web', 'b'),
      service('shop/web-2', ''),
    ),
    'one of those that have the address is being deleted': world(
      vpc('a'),
      ofA,
      service('shop/web', 'b'),
      service('shop/web-2', 'c', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'no Service has the address: that is another finding': world(vpc('a'), ofA),
    'a Service has the address on another port': world(
      vpc('a'),
      ofA,
      service('shop/web', 'b', { ports: [{ port: 81 }] }),
    ),
    'a SwitchLBRule has it, whose Service is not there yet': world(
      vpc('a'),
      ofA,
      object('SwitchLBRule', 'r', { spec: { vip: '10.96.0.1', ports: [{ port: 80 }] } }),
    ),
    'a RouterLBRule may have it': world(
      vpc('a'),
      ofA,
      service('shop/web', 'b'),
      object('RouterLBRule', 'r', { spec: { ovnEip: 'e', ports: [{ port: 80 }] } }),
    ),
    'the balancer is of no VPC': world(balancer('d'), service('shop/web', 'b')),
    'two VPCs name the balancer': world(
      vpc('a'),
      object('Vpc', 'c', { status: { udpLoadBalancer: 'vpc-a-tcp-load' } }),
      ofA,
      service('shop/web', 'b'),
    ),
    'it answers nothing': world(vpc('a'), balancer('vpc-a-tcp-load', []), service('shop/web', 'b')),
    'its entry is no address and port': world(
      vpc('a'),
      balancer('vpc-a-tcp-load', ['10.96.0.1']),
      service('shop/web', 'b'),
    ),
  },
  violation: {
    'the Service is served in another VPC': {
      given: world(vpc('a'), vpc('b'), ofA, service('shop/web', 'b')),
      summary: says,
      parts: ['vips=10.96.0.1:80'],
      concerns: ['web'],
    },
    'two Services are served in other VPCs': {
      given: world(vpc('a'), ofA, service('shop/web-2', 'c'), service('shop/web', 'b')),
      summary: says,
    },
    'a SwitchLBRule asks for it, by its Service in another VPC': {
      given: world(
        vpc('a'),
        ofA,
        object('SwitchLBRule', 'r', { spec: { vip: '10.96.0.1', ports: [{ port: 80 }] } }),
        service('shop/web', 'b'),
      ),
      summary: says,
    },
    'one of its entries is of another VPC': {
      given: world(
        vpc('a'),
        balancer('vpc-a-tcp-load', ['10.96.0.1:80', '10.96.0.1:443']),
        service('shop/web', 'b'),
        service('shop/web-2', 'a', { ports: [{ port: 443 }] }),
      ),
      summary: says,
    },
  },
});

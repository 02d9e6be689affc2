import { type Built, object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './service-vip-missing';

const vpc = (status: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('Vpc', 'tenant', {
    status: {
      tcpLoadBalancer: 'vpc-tenant-tcp-load',
      tcpSessionLoadBalancer: 'vpc-tenant-tcp-sess-load',
      udpLoadBalancer: 'vpc-tenant-udp-load',
      udpSessionLoadBalancer: 'vpc-tenant-udp-sess-load',
      sctpLoadBalancer: 'vpc-tenant-sctp-load',
      sctpSessionLoadBalancer: 'vpc-tenant-sctp-sess-load',
      ...status,
    },
    metadata,
  });
const balancer = (vips: readonly string[], sort = 'tcp-load') =>
  row('Load_Balancer', `vpc-tenant-${sort}`, {
    protocol: sort.split('-')[0]!,
    vips: Object.fromEntries(vips.map((it) => [it, '10.60.0.2:8080'])),
  });
const http = { name: 'http', port: 80 };
const service = (
  spec: Record<string, unknown> = {},
  annotations: Record<string, string> = {},
  metadata: Record<string, unknown> = {},
): Built<'Service'> =>
  object('Service', 'shop/web', {
    spec: { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ports: [http], ...spec },
    metadata: { annotations: { 'ovn.kubernetes.io/vpc': 'tenant', ...annotations }, ...metadata },
  });
const slice = (
  over: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): Built<'EndpointSlice'> => {
  const built = object('EndpointSlice', 'shop/web-1', {
    metadata: { labels: { 'kubernetes.io/service-name': 'web' }, ...metadata },
  });
  return {
    ...built,
    object: {
      ...built.object,
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080 }],
      endpoints: [{}],
      ...over,
    },
  };
};
const controller = (flags: readonly string[]): Built =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags } } },
  });
const says = (vip: string, sort = 'tcp-load') =>
  `Service shop/web has endpoints, and load balancer vpc-tenant-${sort} of VPC tenant does not answer ${vip}`;

testRule(rule, {
  healthy: {
    'its vip is there': world(vpc(), service(), slice(), balancer(['10.96.0.1:80'])),
    'both its addresses are there': world(
      vpc(),
      service({ clusterIPs: ['10.96.0.1', 'fd00:96:0::1'] }),
      slice(),
      slice({ addressType: 'IPv6' }, { uid: 'v6' }),
      balancer(['10.96.0.1:80', '[fd00:96::1]:80']),
    ),
    'clients keep their backend, by another balancer': world(
      vpc(),
      service({ sessionAffinity: 'ClientIP' }),
      slice(),
      balancer(['10.96.0.1:80'], 'tcp-sess-load'),
    ),
    'Kube-OVN leaves load balancers alone, and its collection has not told the Vpc': world(
      controller(['--enable-lb=false', '--gc-interval=0']),
      vpc(),
      service(),
      slice(),
      balancer([]),
    ),
    'it has no EndpointSlice': world(vpc(), service(), balancer([])),
    'the slice is of another Service': world(
      vpc(),
      service(),
      slice({}, { labels: { 'kubernetes.io/service-name': 'web-2' } }),
    ),
    'the slice is of no Service': world(vpc(), service(), slice({}, { labels: {} })),
    'no endpoint takes connections': world(vpc(), service(), slice({ endpoints: [] })),
    'the slice is being deleted': world(
      vpc(),
      service(),
      slice({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'its endpoints are of the other family': world(
      vpc(),
      service(),
      slice({ addressType: 'IPv6' }),
    ),
    'its endpoints do not serve that port': world(
      vpc(),
      service(),
      slice({ ports: [{ name: 'metrics', port: 9090 }, { name: 'http' }] }),
    ),
    'it has no address of the cluster': world(
      vpc(),
      service({ clusterIP: 'None', clusterIPs: ['None'] }),
      slice(),
    ),
    'it leads to a name outside': world(
      vpc(),
      service({ clusterIP: undefined, clusterIPs: undefined, type: 'ExternalName' }),
      slice(),
    ),
    'Kube-OVN did not serve it yet': world(
      vpc(),
      service({}, { 'ovn.kubernetes.io/vpc': '' }),
      slice(),
    ),
    'its VPC has no load balancers': world(vpc({ tcpLoadBalancer: '' }), service(), slice()),
    'its VPC is gone': world(service(), slice()),
    'its VPC is being deleted': world(
      vpc({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      service(),
      slice(),
    ),
    'it is being deleted': world(
      vpc(),
      service({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      slice(),
    ),
    'a rule has it answered elsewhere': world(
      vpc(),
      service({}, { 'ovn.kubernetes.io/switch_lb_vip': '10.60.0.200' }),
      slice(),
      balancer(['10.60.0.200:80']),
    ),
    'it has an address that another brings': world(
      vpc(),
      service({ externalIPs: ['192.0.2.1'], loadBalancerIP: '192.0.2.2' }),
      slice(),
      balancer(['10.96.0.1:80']),
    ),
  },
  violation: {
    'Kube-OVN serves load balancers': {
      given: world(
        controller(['--enable-lb=true', '--gc-interval=0']),
        vpc(),
        service(),
        slice(),
        balancer([]),
      ),
      summary: says('10.96.0.1 port 80/tcp'),
    },
    'its vip is gone': {
      given: world(vpc(), service(), slice(), balancer(['10.96.0.1:81', '10.96.0.2:80'])),
      summary: says('10.96.0.1 port 80/tcp'),
      parts: ['spec.ports=10.96.0.1 80/tcp'],
    },
    'its balancer is gone': {
      given: world(vpc(), service({ clusterIPs: undefined }), slice()),
      summary: says('10.96.0.1 port 80/tcp'),
    },
    'one of its vips is gone': {
      given: world(
        vpc(),
        service({ ports: [http, { name: 'dns', port: 53, protocol: 'UDP' }] }),
        slice({
          ports: [
            { name: 'http', port: 8080 },
            { name: 'dns', port: 53 },
          ],
        }),
        balancer(['10.96.0.1:80', '10.96.0.1:53']),
      ),
      summary: says('10.96.0.1 port 53/udp', 'udp-load'),
    },
    'its only port has no name': {
      given: world(vpc(), service({ ports: [{ port: 80 }] }), slice({ ports: [{ port: 8080 }] })),
      summary: says('10.96.0.1 port 80/tcp'),
    },
    'one of its families is gone': {
      given: world(
        vpc(),
        service({ clusterIPs: ['10.96.0.1', 'fd00:96::1'] }),
        slice(),
        slice({ addressType: 'IPv6' }, { name: 'web-6', uid: 'v6' }),
        balancer(['10.96.0.1:80']),
      ),
      summary: says('fd00:96::1 port 80/tcp'),
    },
    'the balancer of the other affinity has it': {
      given: world(
        vpc(),
        service({ sessionAffinity: 'ClientIP' }),
        slice(),
        balancer(['10.96.0.1:80']),
      ),
      summary: says('10.96.0.1 port 80/tcp', 'tcp-sess-load'),
    },
    'the vip of its rule is gone': {
      given: world(
        vpc(),
        service(
          { clusterIP: 'None', clusterIPs: ['None'] },
          { 'ovn.kubernetes.io/switch_lb_vip': '10.60.0.200' },
        ),
        slice(),
        balancer([]),
      ),
      summary: says('10.60.0.200 port 80/tcp'),
    },
    'a vip of its router rule is gone': {
      given: world(
        vpc(),
        service({}, { 'ovn.kubernetes.io/router_lb_vip': '198.51.100.1, 198.51.100.2' }),
        slice(),
        balancer(['198.51.100.1:80']),
      ),
      summary: says('198.51.100.2 port 80/tcp'),
    },
  },
});

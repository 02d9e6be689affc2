import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stale-load-balancer-vip';

const VENDOR = { vendor: 'kube-ovn' };
const balancer = (
  vips: Record<string, string>,
  columns: Record<string, unknown> = {},
): Built<'Load_Balancer'> =>
  row('Load_Balancer', 'cluster-tcp-loadbalancer', {
    external_ids: VENDOR,
    options: { prefer_local_backend: 'false' },
    protocol: 'tcp',
    vips,
    ...columns,
  });
const vpc = object('Vpc', 'ovn-cluster', {
  status: {
    tcpLoadBalancer: 'cluster-tcp-loadbalancer',
    tcpSessionLoadBalancer: 'cluster-tcp-session-loadbalancer',
  },
});
const service = (
  spec: Record<string, unknown>,
  over: Record<string, unknown> = {},
): Built<'Service'> =>
  object('Service', 'shop/web', {
    spec: { ports: [{ port: 80, protocol: 'TCP' }], ...spec },
    ...over,
  });
const annotated = (annotations: Record<string, string>) =>
  service({ clusterIP: 'None', clusterIPs: ['None'] }, { metadata: { annotations } });
const one = { '10.96.0.1:80': '10.17.0.10:8080' };
const six = { '[fd00:0:0::1]:80': '[fd00::10]:8080' };
const check = (
  holder: string,
  vip: string,
  ids: Record<string, string> = { switch_lb_subnet: 'apps' },
): Built<'Load_Balancer_Health_Check'> =>
  row('Load_Balancer_Health_Check', '', {
    uid: `check of ${vip}`,
    vip,
    external_ids: ids,
    _parents: [{ kind: 'Load_Balancer', uid: `Load_Balancer:${holder}`, column: 'health_check' }],
  });

const session = (vips: Record<string, string>): Built<'Load_Balancer'> =>
  row('Load_Balancer', 'cluster-tcp-session-loadbalancer', {
    external_ids: VENDOR,
    options: { affinity_timeout: '10800', prefer_local_backend: 'false' },
    protocol: 'tcp',
    vips,
  });
const sticky = (
  sessionAffinity = 'ClientIP',
  of = 'ovn-cluster',
  metadata: Record<string, unknown> = {},
) =>
  service(
    { clusterIP: '10.96.0.1', sessionAffinity },
    { metadata: { annotations: { 'ovn.kubernetes.io/vpc': of }, ...metadata } },
  );

const routerRule = object('RouterLBRule', 'r', {
  spec: { ovnEip: 'out', ports: [{ port: 80, protocol: 'TCP' }] },
});

testRule(rule, {
  healthy: {
    'it has no vips': world(vpc, balancer({})),
    'a Service has the cluster address': world(
      vpc,
      balancer(one),
      service({ clusterIP: '10.96.0.1' }),
    ),
    'a Service has it among its cluster addresses': world(
      vpc,
      balancer(one),
      service({ clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9', '10.96.0.1'] }),
    ),
    'a Service has it as external address': world(
      vpc,
      balancer(one),
      service({ externalIPs: ['10.96.0.1'] }),
    ),
    'a Service was given it as ingress': world(
      vpc,
      balancer(one),
      service({}, { status: { loadBalancer: { ingress: [{ ip: '10.96.0.1' }] } } }),
    ),
    'a Service asks for it as load-balancer address': world(
      vpc,
      balancer(one),
      service({ loadBalancerIP: '10.96.0.1' }),
    ),
    'a Service without a protocol is TCP': world(
      vpc,
      balancer(one),
      service({ clusterIP: '10.96.0.1', ports: [{ port: 80 }] }),
    ),
    'a Service with ClientIP affinity has it: it belongs to the other balancer, but it lives':
      world(vpc, balancer(one), service({ clusterIP: '10.96.0.1', sessionAffinity: 'ClientIP' })),
    'a Service with ClientIP affinity is answered in the other balancer of another VPC': world(
      vpc,
      object('Vpc', 'other'),
      balancer(one),
      session(one),
      sticky('ClientIP', 'other'),
    ),
    'one of two Services has ClientIP affinity': world(
      vpc,
      balancer(one),
      session(one),
      sticky(),
      object('Service', 'shop/api', {
        spec: { externalIPs: ['10.96.0.1'], ports: [{ port: 80, protocol: 'TCP' }] },
        metadata: { annotations: { 'ovn.kubernetes.io/vpc': 'ovn-cluster' } },
      }),
    ),
    'a SwitchLBRule asks for it beside a Service with ClientIP affinity': world(
      vpc,
      balancer(one),
      session(one),
      sticky(),
      object('SwitchLBRule', 'r', {
        spec: { vip: '10.96.0.1', ports: [{ port: 80, protocol: 'TCP' }] },
      }),
    ),
    'a Service with ClientIP affinity is being deleted': world(
      vpc,
      balancer(one),
      session(one),
      sticky('ClientIP', 'ovn-cluster', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
    'a headless Service carries the address of a SwitchLBRule': world(
      vpc,
      balancer(one),
      annotated({ 'ovn.kubernetes.io/switch_lb_vip': '10.96.0.1' }),
    ),
    'a headless Service carries the address of a RouterLBRule': world(
      vpc,
      balancer(one),
      annotated({ 'ovn.kubernetes.io/router_lb_vip': 'fd00::1,10.96.0.1' }),
    ),
    'a SwitchLBRule asks for it before its Service is made': world(
      vpc,
      balancer(one),
      object('SwitchLBRule', 'r', {
        spec: { vip: '10.96.0.1', ports: [{ port: 80, protocol: 'TCP' }] },
      }),
    ),
    'a RouterLBRule has the port, and its OvnEip the address': world(
      vpc,
      balancer(one),
      routerRule,
      object('OvnEip', 'out', { status: { v4Ip: '10.96.0.1' } }),
    ),
    'a RouterLBRule has the port, and its OvnEip no such address yet': world(
      vpc,
      balancer(one),
      routerRule,
      object('OvnEip', 'out', { status: { v6Ip: 'fd00::7' } }),
    ),
    'a RouterLBRule has the port, and OvnEips are not listed': world(
      vpc,
      balancer(one),
      routerRule,
      object('OvnEip', 'out', { status: { v4Ip: '10.96.0.7' } }),
    ).unheardOf('OvnEip'),
    'a RouterLBRule has the port, and OvnEips are not listed any more': world(
      ...[vpc, balancer(one), routerRule],
      object('OvnEip', 'out', { status: { v4Ip: '10.96.0.7' } }),
    ).unlisted('OvnEip'),
    'an address of its OvnEip cannot be read': world(
      vpc,
      balancer(one),
      routerRule,
      object('OvnEip', 'out', { status: { v4Ip: '10.96.0' } }),
    ),
    "a RouterLBRule has the port, its address being its OvnEip's": world(
      vpc,
      balancer(one),
      object('RouterLBRule', 'r', {
        spec: { ovnEip: 'out', ports: [{ port: 80, protocol: 'TCP' }] },
      }),
    ),
    'a Service being deleted still has it': world(
      vpc,
      balancer(one),
      service(
        { clusterIP: '10.96.0.1' },
        { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
      ),
    ),
    'the Service writes the IPv6 address in another way': world(
      vpc,
      balancer(six),
      service({ clusterIP: 'fd00::0001' }),
    ),
    'the Service is in another VPC': world(
      vpc,
      balancer(one),
      object('Vpc', 'other'),
      service(
        { clusterIP: '10.96.0.1' },
        { metadata: { annotations: { 'ovn.kubernetes.io/vpc': 'other' } } },
      ),
    ),
    'no VPC names the balancer': world(object('Vpc', 'new'), balancer(one)),
    "the balancer is Octavia's, whatever VPC names it": world(
      vpc,
      balancer(one, { external_ids: { 'neutron:vip': '10.96.0.1' } }),
    ),
    'the balancer has no key, and another protocol than its VPC says': world(
      vpc,
      balancer(one, { external_ids: {}, protocol: 'udp' }),
    ),
    'the balancer has a key of Kube-OVN’s without the tag': world(
      vpc,
      balancer(one, { external_ids: { ls: 'apps' } }),
    ),
    'the balancer has no key, and a health check of somebody else’s': world(
      vpc,
      balancer(one, { external_ids: {} }),
      check('cluster-tcp-loadbalancer', '10.96.0.1:80', { 'neutron:x': 'y' }),
    ),
    'the balancer was tagged by name only': world(vpc, balancer(one, { options: {} })),
    "a health check of somebody else's is in it": world(
      vpc,
      balancer(one),
      check('cluster-tcp-loadbalancer', '10.96.0.1:80', { 'neutron:x': 'y' }),
    ),
  },
  unknown: {
    'Services are not listed': world(vpc, balancer(one)).unlisted('Service'),
    'router rules are installed but not listed': world(vpc, balancer(one)).unlisted('RouterLBRule'),
    'an entry is a template': world(vpc, balancer({ '^vip:^port': '^backends' })),
    'an entry has no port': world(vpc, balancer({ '10.96.0.1': '10.17.0.10' })),
    'an entry is no address': world(vpc, balancer({ '999.1.1.1:80': '10.17.0.10:80' })),
  },
  violation: {
    'its Service has ClientIP affinity, and the balancer for that answers it': {
      given: world(vpc, balancer(one), session(one), sticky()),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which Service shop/web, by session affinity, has in load balancer cluster-tcp-session-loadbalancer',
    },
    'its Service has no affinity any more': {
      given: world(vpc, balancer(one), session(one), sticky('None')),
      summary:
        'load balancer cluster-tcp-session-loadbalancer still answers 10.96.0.1:80/tcp, which Service shop/web, by session affinity, has in load balancer cluster-tcp-loadbalancer',
    },
    'the balancer has no key, as before v1.15: nothing is removed': {
      given: world(vpc, balancer(one, { external_ids: {}, options: {} })),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which no Service asks for',
      noRemedy: true,
    },
    'an entry beside it has no port': {
      given: world(vpc, balancer({ ...one, '10.96.0.1': '10.17.0.10' })),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which no Service asks for',
    },
    'a RouterLBRule has the port on another address': {
      given: world(
        vpc,
        balancer(one),
        routerRule,
        object('OvnEip', 'out', { spec: { v4Ip: '10.96.0.7' }, status: { v4Ip: '10.96.0.7' } }),
      ),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which no Service asks for',
    },
    'no Service has it': {
      given: world(
        vpc,
        balancer({ ...one, '10.96.0.2:80': '10.17.0.11:80' }),
        service({ clusterIP: '10.96.0.1' }),
      ),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.2:80/tcp, which no Service asks for',
      parts: ['vips=10.96.0.2:80'],
    },
    'a Service has the address on another port or protocol': {
      given: world(
        vpc,
        balancer({ '10.96.0.1:80': '', '10.96.0.1:81': '' }),
        service({
          clusterIP: '10.96.0.1',
          ports: [
            { port: 80, protocol: 'UDP' },
            { port: 82, protocol: 'TCP' },
          ],
        }),
      ),
      summary: [
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which no Service asks for',
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:81/tcp, which no Service asks for',
      ],
      parts: ['vips=10.96.0.1:80', 'vips=10.96.0.1:81'],
    },
    'no Service has the IPv6 address': {
      given: world(vpc, balancer(six), service({ clusterIP: 'fd00::2' })),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers [fd00:0:0::1]:80/tcp, which no Service asks for',
      parts: ['vips=[fd00:0:0::1]:80'],
    },
    'its health check goes with it, another one does not': {
      given: world(
        vpc,
        balancer({ ...one, '10.96.0.2:80': '' }),
        service({ clusterIP: '10.96.0.2' }),
        check('cluster-tcp-loadbalancer', '10.96.0.1:80'),
        check('cluster-tcp-loadbalancer', '10.96.0.2:80'),
      ),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which no Service asks for',
      concerns: ['check of 10.96.0.1:80'],
    },
    'Kube-OVN is too old to know router rules': {
      given: world(vpc, balancer(one)).notInstalled('RouterLBRule'),
      summary:
        'load balancer cluster-tcp-loadbalancer still answers 10.96.0.1:80/tcp, which no Service asks for',
    },
  },
});

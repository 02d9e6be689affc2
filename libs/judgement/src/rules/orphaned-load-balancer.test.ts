import { object, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-load-balancer';

const VENDOR = { vendor: 'kube-ovn' };
const balancer = (name: string, columns: Record<string, unknown> = {}): Built<'Load_Balancer'> =>
  row('Load_Balancer', name, { external_ids: VENDOR, protocol: 'tcp', ...columns });
const ofVpc = (name = 'vpc-tenant-tcp-load', columns: Record<string, unknown> = {}) =>
  balancer(name, { options: { prefer_local_backend: 'false' }, ...columns });
const ofRule = balancer('web-dnat', { vips: { '198.51.100.13:80': '10.60.0.3:8080' } });
const routerWith = (uid: string, ids: Record<string, string> = VENDOR) =>
  row('Logical_Router', 'tenant', { external_ids: ids, load_balancer: [uid] });
const eip = object('OvnEip', 'e1', {
  status: { v4Ip: '198.51.100.13', v6Ip: '2001:db8::13', type: 'nat' },
});
const ruleOf = (kind: 'OvnDnatRule' | 'OvnFip' | 'OvnSnatRule', externalPort?: string) =>
  object(kind, 'other', { spec: { ovnEip: 'e1', externalPort } });
const onRouter = routerWith('Load_Balancer:web-dnat');

testRule(rule, {
  healthy: {
    'its rule exists': world(onRouter, ofRule, object('OvnDnatRule', 'web-dnat')),
    'its rule is being deleted': world(
      onRouter,
      ofRule,
      object('OvnDnatRule', 'web-dnat', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
    ),
    'its VPC exists, not yet reconciled': world(ofVpc(), object('Vpc', 'tenant')),
    'a VPC names it, whatever its own name': world(
      ofVpc(),
      object('Vpc', 'renamed', { status: { tcpLoadBalancer: 'vpc-tenant-tcp-load' } }),
    ),
    "it is the default VPC's, whose status is empty": world(
      ofVpc('cluster-tcp-loadbalancer'),
      ofVpc('cluster-udp-session-loadbalancer', { protocol: 'udp' }),
    ),
    "a rule has the name of a VPC's": world(ofVpc(), object('OvnDnatRule', 'vpc-tenant-tcp-load')),
    'no router uses it, so its free name proves nothing': world(ofRule),
    'no router uses it, and it is empty without a tag': world(
      balancer('web-dnat', { external_ids: {} }),
    ),
    "it is empty, and a switch of somebody else's has it": world(
      balancer('web-dnat'),
      row('Logical_Switch', 'net', { load_balancer: ['Load_Balancer:web-dnat'] }),
    ),
    'it is empty, and its rule was just made': world(
      balancer('web-dnat'),
      object('OvnDnatRule', 'web-dnat'),
    ),
    "its router is somebody else's": world(
      routerWith('Load_Balancer:web-dnat', { 'neutron:router_name': 'r' }),
      ofRule,
    ),
    'it has no tag': world(onRouter, balancer('web-dnat', { external_ids: {} })),
    'it was tagged by name only, at an upgrade': world(
      ofVpc('vpc-legacy-tcp-load', { options: {} }),
    ),
    'its protocol is not the one of its name': world(ofVpc('vpc-tenant-udp-load')),
    "a switch of somebody else's uses it": world(
      ofVpc(),
      row('Logical_Switch', 'net', {
        load_balancer: ['Load_Balancer:vpc-tenant-tcp-load'],
        external_ids: { 'neutron:network_name': 'n' },
      }),
    ),
  },
  unknown: {
    'rules are not listed': world(onRouter, eip, ofRule).unheardOf('OvnDnatRule'),
    'VPCs are not listed': world(ofVpc()).unheardOf('Vpc'),
    "a switch of Kube-OVN's still uses it": world(
      ofVpc(),
      row('Logical_Switch', 'web', {
        load_balancer: ['Load_Balancer:vpc-tenant-tcp-load'],
        external_ids: VENDOR,
      }),
    ),
    'a person made it for an address of no OvnEip': world(onRouter, ofRule),
    'it has the address of an OvnEip for a router port': world(
      onRouter,
      ofRule,
      object('OvnEip', 'e1', { status: { v4Ip: '198.51.100.13', type: 'lrp' } }),
    ),
    'it shares traffic out, as no rule does': world(
      onRouter,
      eip,
      balancer('web-dnat', { vips: { '198.51.100.13:80': '10.60.0.3:8080,10.60.0.4:8080' } }),
    ),
    'it has no backend, as no rule does': world(
      onRouter,
      eip,
      balancer('web-dnat', { vips: { '198.51.100.13:80': '' } }),
    ),
    'it has two ports of an address, as no rule does': world(
      onRouter,
      eip,
      balancer('web-dnat', {
        vips: { '198.51.100.13:80': '10.60.0.3:8080', '198.51.100.13:81': '10.60.0.3:8081' },
      }),
    ),
    'a living rule has its address and port': world(
      onRouter,
      eip,
      ofRule,
      ruleOf('OvnDnatRule', '80'),
    ),
    'a living rule has its address and does not say which port': world(
      onRouter,
      eip,
      ofRule,
      ruleOf('OvnDnatRule'),
    ),
    'a living floating IP has its address': world(onRouter, eip, ofRule, ruleOf('OvnFip')),
    'a RouterLBRule asks for its port': world(
      onRouter,
      eip,
      ofRule,
      object('RouterLBRule', 'r', { spec: { ports: [{ port: 80 }] } }),
    ),
    'a Service asks for its address': world(
      onRouter,
      ofRule,
      object('Service', 'shop/web', {
        spec: { externalIPs: ['198.51.100.13'], ports: [{ port: 80 }] },
      }),
    ),
    'its address cannot be read': world(
      onRouter,
      balancer('web-dnat', { vips: { '^a:^b': '^c' } }),
    ),
  },
  violation: {
    'its rule is gone': {
      given: world(onRouter, eip, ofRule, object('OvnDnatRule', 'other')),
      summary: 'load balancer web-dnat was made for OvnDnatRule web-dnat, which no longer exists',
    },
    'its rule is gone and took the vips along': {
      given: world(onRouter, balancer('web-dnat')),
      summary: 'load balancer web-dnat was made for OvnDnatRule web-dnat, which no longer exists',
    },
    'its rule was deleted as Kube-OVN does it': {
      given: world(balancer('web-dnat'), object('OvnDnatRule', 'other')),
      summary:
        'load balancer web-dnat has no entry, no router or switch has it, and no OvnDnatRule of its name exists',
      noRemedy: true,
    },
    'its rule had both families, and its address serves others by other ports': {
      given: world(
        onRouter,
        eip,
        balancer('web-dnat', {
          vips: { '198.51.100.13:80': '10.60.0.3:8080', '[2001:db8::13]:80': '[fd00::3]:8080' },
        }),
        ruleOf('OvnDnatRule', '81'),
        { ...ruleOf('OvnSnatRule'), name: 'snat' },
      ),
      summary: 'load balancer web-dnat was made for OvnDnatRule web-dnat, which no longer exists',
    },
    'its VPC is gone': {
      given: world(ofVpc(), object('Vpc', 'other')),
      summary: 'load balancer vpc-tenant-tcp-load was made for Vpc tenant, which no longer exists',
    },
    'its VPC is gone, the balancer with affinity': {
      given: world(
        ofVpc('vpc-a-b-udp-sess-load', { protocol: 'udp', options: { affinity_timeout: '10800' } }),
      ),
      summary: 'load balancer vpc-a-b-udp-sess-load was made for Vpc a-b, which no longer exists',
    },
    'its health checks go with it': {
      given: world(
        ofVpc('vpc-tenant-tcp-load', { vips: { '10.60.0.200:80': '' } }),
        row('Load_Balancer_Health_Check', '', {
          uid: 'check',
          vip: '10.60.0.200:80',
          external_ids: { switch_lb_subnet: 'x' },
          _parents: [
            {
              kind: 'Load_Balancer',
              uid: 'Load_Balancer:vpc-tenant-tcp-load',
              column: 'health_check',
            },
          ],
        }),
      ),
      summary: 'load balancer vpc-tenant-tcp-load was made for Vpc tenant, which no longer exists',
      concerns: ['check'],
    },
  },
});

import { logicalSwitch, object, pod, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './leaked-vip';

const LABELS = { 'ovn.kubernetes.io/subnet': 'apps', 'ovn.kubernetes.io/ip_reserved': '' };
const vip = (
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
  name = 'apps',
): Built<'Vip'> =>
  object('Vip', name, {
    metadata: { labels: LABELS, ...metadata },
    spec: { subnet: 'apps', namespace: '', type: '', v4ip: '10.17.0.20', v6ip: '', ...spec },
    status: { v4ip: '10.17.0.20' },
  });
const check = (subnet: string) =>
  row('Load_Balancer_Health_Check', '', {
    uid: 'check',
    vip: '10.17.0.200:80',
    external_ids: { switch_lb_subnet: subnet },
  });
const madeBy = (...managers: string[]) => ({
  managedFields: managers.map((manager) => ({
    manager,
    fieldsV1: { 'f:spec': { 'f:subnet': {} } },
  })),
});
/** Of a rule that answers 10.60.0.201, in VPC `a`, where Kube-OVN has handled it. */
const ruleService = (vpc?: string, metadata: Record<string, unknown> = {}) =>
  object('Service', 'shop/slr-late', {
    metadata: {
      ...metadata,
      annotations: {
        'ovn.kubernetes.io/switch_lb_vip': '10.60.0.201',
        ...(vpc && { 'ovn.kubernetes.io/vpc': vpc }),
      },
    },
    spec: { clusterIP: 'None', ports: [{ port: 81 }] },
  });
const slice = object('EndpointSlice', 'shop/slr-late-1', {
  metadata: { labels: { 'kubernetes.io/service-name': 'slr-late' } },
});
const vpcA = object('Vpc', 'a', { status: { tcpLoadBalancer: 'vpc-a-tcp-load' } });
const answering = (...vips: string[]) =>
  row('Load_Balancer', 'vpc-a-tcp-load', {
    vips: Object.fromEntries(vips.map((it) => [it, '10.61.0.9:81'])),
  });
const says = 'Vip apps keeps 10.17.0.20 of subnet apps for health checks, of which there are none';

testRule(rule, {
  healthy: {
    'a health check is sent from its subnet': world(vip(), check('apps')),
    'a balancer sends checks from its address': world(
      vip(),
      row('Load_Balancer', 'vpc-a-tcp-load', {
        ip_port_mappings: { '10.17.0.9': 'web-0.shop:10.17.0.20' },
      }),
    ),
    'a balancer sends checks from its IPv6 address': world(
      vip({ v6ip: 'fd00::20' }),
      row('Load_Balancer', 'vpc-a-tcp-load', {
        ip_port_mappings: { '[fd00::9]': 'web-0.shop:[fd00:0::20]' },
      }),
    ),
    'somebody made it with kubectl create': world(
      vip({}, madeBy('kubectl-create')),
      logicalSwitch(),
    ),
    'the controller and somebody else wrote it': world(
      vip({}, madeBy('kube-ovn-controller', 'kubectl-edit')),
      logicalSwitch(),
    ),
    'it is a reservation: named otherwise than its subnet': world(vip({}, {}, 'front')),
    'it is a reservation: for a namespace': world(vip({ namespace: 'shop' })),
    'it has a type': world(vip({ type: 'switch_lb_vip' })),
    'it is bound to a port': world(
      vip({}, { labels: { ...LABELS, 'ovn.kubernetes.io/ip_reserved': 'web-0.shop' } }),
    ),
    'it is not yet labelled': world(vip({}, { labels: {} })),
    'somebody labelled it': world(vip({}, { labels: { ...LABELS, team: 'web' } })),
    'somebody applied it, or a tool did': world(
      vip({}, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '' } }),
      logicalSwitch(),
    ),
    'it selects pods': world(vip({ selector: ['app: web'] }), logicalSwitch()),
    'its list of subnets is empty, which the controller does not write': world(
      vip({ attachSubnets: [] }),
      logicalSwitch(),
    ),
    'a route leads to it': world(
      vip(),
      logicalSwitch(),
      row('Logical_Router_Static_Route', '', {
        uid: 'route',
        ip_prefix: '0.0.0.0/0',
        nexthop: '10.17.0.20',
      }),
    ),
    'a policy leads to it, among others': world(
      vip(),
      logicalSwitch(),
      row('Logical_Router_Policy', '', {
        uid: 'policy',
        priority: 100,
        match: 'ip4',
        nexthops: ['10.17.0.19', '10.17.0.20'],
      }),
    ),
    'a SNAT rule is of it, by name': world(
      vip(),
      logicalSwitch(),
      object('OvnSnatRule', 's', { spec: { ovnEip: 'e', ipName: 'apps' } }),
    ),
    'a SNAT rule is of it, by address': world(
      vip(),
      logicalSwitch(),
      object('OvnSnatRule', 's', { spec: { ovnEip: 'e', v4IpCidr: '10.17.0.20/32' } }),
    ),
    'a SwitchLBRule leads to it': world(
      vip(),
      logicalSwitch(),
      object('SwitchLBRule', 'r', {
        spec: { vip: '10.60.0.201', endpoints: ['10.17.0.20'], ports: [{ port: 80 }] },
      }),
    ),
    'somebody owns it': world(
      vip({}, { ownerReferences: [{ kind: 'Widget', name: 'w', uid: 'w' }] }),
    ),
    'a pod asks for it': world(
      vip(),
      pod('shop/web-0', { metadata: { annotations: { 'ovn.kubernetes.io/vip': 'apps' } } }),
    ),
    'a pod may use its address too': world(
      vip(),
      pod('shop/web-0', { metadata: { annotations: { 'ovn.kubernetes.io/aaps': 'front, apps' } } }),
    ),
    "a pod's second port may use its address": world(
      vip(),
      pod('shop/web-0', {
        metadata: { annotations: { 'data.shop.ovn.kubernetes.io/port_vips': '10.17.0.20' } },
      }),
    ),
    'a SwitchLBRule answers on it': world(
      vip(),
      object('SwitchLBRule', 'r', { spec: { vip: '10.17.0.20', ports: [{ port: 80 }] } }),
    ),
    'a Service has its address': world(
      vip(),
      object('Service', 'shop/web', {
        spec: { clusterIP: 'None' },
        metadata: { annotations: { 'ovn.kubernetes.io/switch_lb_vip': '10.17.0.20' } },
      }),
    ),
    'an OvnFip leads to it': world(
      vip(),
      object('OvnFip', 'f', { spec: { ovnEip: 'e', ipType: 'vip', ipName: 'apps' } }),
    ),
    'a DNAT of a gateway leads to it': world(
      vip(),
      object('IptablesDnatRule', 'd', { spec: { eip: 'e', internalIp: '10.17.0.20' } }),
    ),
    'a virtual port has its address': world(
      vip(),
      logicalSwitch(),
      port('vip', { type: 'virtual', options: { 'virtual-ip': '10.17.0.20' }, addresses: [] }),
    ),
    'a port may use its address too': world(
      vip(),
      logicalSwitch(),
      port('web-0.shop', { external_ids: { vips: '10.17.0.19,10.17.0.20' }, addresses: [] }),
    ),
    'a port of its subnet has its address': world(
      vip(),
      logicalSwitch(),
      port('web-0.shop', { addresses: ['0a:00:00:00:00:01 10.17.0.20'] }),
    ),
    'it has no address yet': world(
      object('Vip', 'apps', { metadata: { labels: LABELS }, spec: { subnet: 'apps' } }),
    ),
  },
  unknown: {
    'its subnet has no switch in this database': world(vip(), object('Subnet', 'apps')),
    'its subnet went, and a SwitchLBRule waits for endpoints': world(
      vip(),
      ruleService('a'),
      slice,
      vpcA,
      answering(),
    ),
    'nobody says that he made it': world(vip({}, madeBy()), logicalSwitch()),
    'the database is not read': world(vip()).unlisted('Load_Balancer_Health_Check'),
    'pods are not listed': world(vip()).unheardOf('Pod'),
    'a Service of a rule was not handled yet': world(vip(), logicalSwitch(), ruleService(), slice),
    'no endpoint of a Service of a rule is ready': world(
      vip(),
      logicalSwitch(),
      vpcA,
      answering('10.60.0.200:81'),
      ruleService('a'),
      slice,
    ),
  },
  violation: {
    'checks are sent from another subnet only': {
      given: world(
        vip(),
        logicalSwitch(),
        check('web'),
        row('Load_Balancer', 'vpc-a-tcp-load', {
          ip_port_mappings: { '10.60.0.2': 'web-0.shop:10.60.0.6' },
        }),
      ),
      summary: says,
    },
    'the controller made it': {
      given: world(vip({}, madeBy('kube-ovn-controller')), logicalSwitch()),
      summary: says,
    },
    'a SwitchLBRule without endpoints stands, on another address': {
      given: world(
        vip(),
        logicalSwitch(),
        object('SwitchLBRule', 'late', { spec: { vip: '10.60.0.201', ports: [{ port: 81 }] } }),
      ),
      summary: says,
    },
    'the Service of a rule is answered, and checked from elsewhere': {
      given: world(
        vip(),
        logicalSwitch(),
        vpcA,
        answering('10.60.0.201:81'),
        ruleService('a'),
        slice,
      ),
      summary: says,
    },
    'the Service of a rule was handled before its endpoints were': {
      given: world(vip(), logicalSwitch(), vpcA, answering(), ruleService('a')),
      summary: says,
    },
    'the Service of a rule is being deleted': {
      given: world(
        vip(),
        logicalSwitch(),
        ruleService('a', { deletionTimestamp: '2026-07-16T09:00:00Z' }),
        slice,
      ),
      summary: says,
    },
    'its subnet was deleted by force, and its switch collected': {
      given: world(vip(), object('Subnet', 'other')),
      summary:
        'Vip apps keeps 10.17.0.20 of subnet apps, which no longer exists, for health checks, of which there are none',
    },
    'a port of another switch has the address': {
      given: world(
        vip(),
        logicalSwitch(),
        logicalSwitch('other'),
        port('web-0.shop', { ls: 'other', addresses: ['0a:00:00:00:00:01 10.17.0.20'] }),
      ),
      summary: says,
    },
  },
});

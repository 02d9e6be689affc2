import { ip, object, pod, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './neighbours-at-risk';

const controller = (...flags: string[]): Built<'Deployment'> =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags } } },
  });
const of = (release: string, ...flags: string[]): Built<'Deployment'> =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags, release } } },
  });
const net = row('Logical_Switch', 'neutron-8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b', {
  external_ids: { 'neutron:network_name': 'net' },
});
const byHand = row('Logical_Router', 'by-hand', {});
const balancer = row('Load_Balancer', 'web', { external_ids: { 'octavia:project': 'x' } });
const keyless = row('Load_Balancer', 'web-dnat', { vips: { '198.51.100.13:80': '10.60.0.3:80' } });
const emptied = row('Load_Balancer', 'gone-dnat', {});
const eip = object('OvnEip', 'e1', { status: { v4Ip: '198.51.100.13', type: 'nat' } });
const own = row('Logical_Switch', 'apps', { external_ids: { vendor: 'kube-ovn' } });
const says = (what: string): string =>
  `Kube-OVN's controller kube-system/kube-ovn-controller collects what is not its own: ${what}`;
const DEFAULTS = ['--gc-interval=360', '--enable-external-vpc=false', '--enable-lb=true'];

const group = row('Port_Group', 'pg_5f1b', {
  external_ids: { 'neutron:security_group_id': '8f3a1c2e-0b5d-4e6f-9a7b-1c2d3e4f5a6b' },
});
const peered = row('Logical_Router_Port', 'by-hand-a', { peer: 'by-hand-b' });
/** A network of Neutron's that was damaged, with a port and a group member that is only changed. */
const damaged = (evidence: readonly string[]) =>
  row('Former_Row', 'net', {
    table: 'Logical_Switch',
    owner: 'neutron',
    onKubeOvns: false,
    row: { name: 'net' },
    parts: [
      {
        table: 'Logical_Switch_Port',
        uid: 'vm',
        name: 'vm',
        owner: 'neutron',
        gone: true,
        moment: '1',
        row: {},
      },
      {
        table: 'Logical_Switch_Port',
        uid: 'b',
        name: 'b',
        owner: 'neutron',
        gone: false,
        moment: '1',
        row: {},
      },
      { table: 'ACL', uid: 'a', name: '', owner: 'neutron', gone: true, moment: '1', row: {} },
    ],
    referrers: [],
    since: '2026-01-01T00:00:00Z',
    until: '2026-01-01T00:00:00Z',
    evidence,
  });
const damagedRoute = row('Former_Row', 'route', {
  table: 'Logical_Router_Static_Route',
  owner: 'unknown',
  onKubeOvns: false,
  row: {},
  parts: [],
  referrers: [],
  since: '2026-01-01T00:00:00Z',
  until: '2026-01-01T00:00:00Z',
  evidence: ['it was not Neutron'],
});
const marked = [
  row('Port_Group', 'web_sg', { external_ids: { sg: 'web' } }),
  row('Address_Set', 'web_sg_v4', { external_ids: { sg: 'web' } }),
];
const router = row('Logical_Router', 'ovn-cluster', { external_ids: { vendor: 'kube-ovn' } });
const route = row('Logical_Router_Static_Route', 'r', {
  ip_prefix: '10.17.0.10',
  nexthop: '10.17.0.9',
  _parents: [{ kind: 'Logical_Router', uid: router.uid, column: 'static_routes' }],
});
const subnet = object('Subnet', 'apps', { spec: { cidrBlock: '10.17.0.0/16' } });
const vpc = (...staticRoutes: readonly object[]) =>
  object('Vpc', 'ovn-cluster', { spec: { staticRoutes } });
const routed = [router, route, subnet, ip('web-0.shop')] as const;

const policy = (columns: Record<string, unknown> = {}) =>
  row('Logical_Router_Policy', 'p', {
    priority: 29_250,
    match: 'ip4.src == 10.17.0.10',
    _parents: [{ kind: 'Logical_Router', uid: router.uid, column: 'policies' }],
    ...columns,
  });
const spared = of('v1.17.0', '--enable-external-vpc=true');

testRule(rule, {
  healthy: {
    'what went may have been deleted by its owner': world(of('v1.17.0'), damaged([])),
    'what was damaged is nothing that it collects': world(
      of('v1.17.0', '--enable-external-vpc=true'),
      damaged(['it was not Neutron']),
    ),
    'a static route went beside damage, which its owner may have removed': world(
      of('v1.17.0'),
      damagedRoute,
    ),
    'groups, sets and router ports are of others, and its release spares them': world(
      of('v1.15.0', '--enable-external-vpc=true'),
      group,
      peered,
      ...marked,
    ),
    'groups are of others, and v1.12 knows none but those of policies': world(
      of('v1.12.35'),
      group,
      ...marked,
    ),
    'the group with its key is that of a SecurityGroup, and the set has one': world(
      of('v1.14.41', '--enable-external-vpc=true'),
      ...marked,
      row('Port_Group', 'ovn.sg.web', { external_ids: { sg: 'web', type: 'security_group' } }),
      object('SecurityGroup', 'web'),
    ),
    'whether there is the SecurityGroup is not known': world(
      of('v1.14.41', '--enable-external-vpc=true'),
      marked[0]!,
    ).unlisted('SecurityGroup'),
    'a static route for an address is in the spec': world(
      of('v1.17.0', '--enable-external-vpc=true'),
      ...routed,
      vpc({ cidr: '10.17.0.10', nextHopIP: '10.17.0.9' }),
    ),
    'a static route is for an address that a NAT leads to': world(
      of('v1.17.0', '--enable-external-vpc=true'),
      ...routed,
      row('NAT', 'n', { type: 'snat', external_ip: '198.51.100.1', logical_ip: '10.17.0.10' }),
    ),
    'a static route is for an address that nothing has': world(
      of('v1.17.0', '--enable-external-vpc=true'),
      router,
      route,
      subnet,
    ),
    'a static route is on the router of another VPC': world(
      of('v1.17.0', '--enable-external-vpc=true', '--cluster-router=main'),
      ...routed,
    ),
    'a router policy has another priority': world(spared, router, policy({ priority: 29_251 })),
    'a router policy compares twice, and is passed over': world(
      spared,
      router,
      policy({ match: 'ip4.src == 10.17.0.10 && ip4.dst == 10.18.0.0/16' }),
    ),
    'a router policy is Kube-OVN’s own': world(
      spared,
      router,
      policy({ external_ids: { vendor: 'kube-ovn', subnet: 'apps' } }),
    ),
    'a router policy is on another router': world(
      of('v1.17.0', '--enable-external-vpc=true', '--cluster-router=main'),
      router,
      policy(),
    ),
    'the source of a router policy is a pod with a north gateway': world(
      spared,
      router,
      policy(),
      subnet,
      vpc(),
      ip('web-0.shop'),
      pod('shop/web-0', {
        metadata: { annotations: { 'ovn.kubernetes.io/north_gateway': '10.17.0.9' } },
      }),
    ),
    'it spares its neighbours, and nobody balances': world(
      controller('--gc-interval=360', '--enable-external-vpc=true', '--enable-lb=true'),
      net,
      byHand,
    ),
    'it collects nothing': world(
      controller('--gc-interval=0', '--enable-external-vpc=false', '--enable-lb=true'),
      net,
      balancer,
    ),
    'it has no neighbours': world(controller(...DEFAULTS), own),
    'its load balancers are off, and there is nothing else': world(
      controller('--gc-interval=360', '--enable-external-vpc=false', '--enable-lb=false'),
      balancer,
    ),
    'it says nothing at all': world(controller(), net),
    'it names neither flag, and its release spares others': world(of('v1.14.4'), net, byHand),
    'it names neither flag, and balances nothing': world(
      of('v1.17.0', '--enable-lb=false'),
      balancer,
    ),
    'the balancer without a key is that of an OvnDnatRule': world(
      of('v1.14.41'),
      keyless,
      object('OvnDnatRule', 'web-dnat'),
    ),
    'Kube-OVN left the balancer of a deleted OvnDnatRule, empty': world(of('v1.13.15'), emptied),
    'it left one empty, and v1.12 takes it': world(of('v1.12.35'), emptied),
    'an OvnDnatRule was deleted by force, and its OvnEip is there': world(
      of('v1.13.15'),
      keyless,
      eip,
    ),
    'it is another Deployment': world(
      object('Deployment', 'shop/web', { spec: { template: { spec: { flags: DEFAULTS } } } }),
      net,
    ),
    'it goes': world(
      object('Deployment', 'kube-system/kube-ovn-controller', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: { template: { spec: { flags: DEFAULTS } } },
      }),
      net,
    ),
  },
  unknown: {
    'it does not say what the release decides': world(controller('--gc-interval=360'), net),
    'it names neither flag, and is of no release that is known': world(
      of('v1.17.0-ours', '--gc-interval=360'),
      net,
    ),
    'a balancer without a key is named like an OvnDnatRule, and the release is not known': world(
      controller(...DEFAULTS),
      keyless,
      object('OvnDnatRule', 'web-dnat'),
    ),
    'whether an OvnEip has the address is not known': world(of('v1.14.41'), keyless).unlisted(
      'OvnEip',
    ),
    'what it says is no answer': world(
      controller('--gc-interval=360', '--enable-external-vpc=perhaps'),
      net,
    ),
  },
  violation: {
    "a switch of Neutron's, a router by hand and a load balancer": {
      given: world(controller(...DEFAULTS), net, byHand, balancer, own),
      summary: says('1 switch (1 neutron), 1 router (1 unknown), 1 load balancer (1 octavia)'),
    },
    'it names neither flag, and its release deletes': {
      given: world(of('v1.14.5'), net),
      summary: says('1 switch (1 neutron)'),
    },
    'it names neither flag, and balances by default': {
      given: world(of('v1.13.15'), balancer),
      summary: says('1 load balancer (1 octavia)'),
    },
    'the balancer of an OvnDnatRule, which v1.12 takes': {
      given: world(of('v1.12.35'), keyless, object('OvnDnatRule', 'web-dnat')),
      summary: says('1 load balancer (1 unknown)'),
    },
    'that of an OvnDnatRule, which v1.12 takes, had no entry yet': {
      given: world(of('v1.12.35'), emptied, object('OvnDnatRule', 'gone-dnat')),
      summary: says('1 load balancer (1 unknown)'),
    },
    "a balancer without a key, beside empty ones of Kube-OVN's own Vpcs": {
      given: world(
        of('v1.14.41'),
        keyless,
        row('Load_Balancer', 'cluster-tcp-loadbalancer', {}),
        row('Load_Balancer', 'vpc-tenant-udp-load', {}),
      ),
      summary: says('1 load balancer (1 unknown)'),
    },
    'a balancer without a key that no OvnDnatRule is named like': {
      given: world(of('v1.14.41'), keyless, object('OvnDnatRule', 'another')),
      summary: says('1 load balancer (1 unknown)'),
    },
    "a balancer without a key on an address of nobody's": {
      given: world(of('v1.14.41'), keyless, emptied, object('OvnEip', 'other')),
      summary: says('1 load balancer (1 unknown)'),
    },
    'groups, sets and router ports of others, which v1.14 takes though it spares switches': {
      given: world(of('v1.14.41', '--enable-external-vpc=true'), net, group, peered, ...marked),
      summary: [
        says('1 router port (1 unknown), 1 port group (1 neutron)'),
        says('1 port group (1 unknown), 1 address set (1 unknown)'),
      ],
    },
    'a port that somebody made by hand on a switch of its own': {
      given: world(of('v1.17.0'), own, row('Logical_Switch_Port', 'by-hand', {})),
      summary: says('1 switch port (1 unknown)'),
    },
    'a static route for an address in use, which every release takes': {
      given: world(of('v1.17.0', '--enable-external-vpc=true'), ...routed, vpc()),
      summary: says('1 static route (1 unknown)'),
    },
    'a router policy at the priority of north gateways, which every release takes': {
      given: world(spared, router, policy()),
      summary: says('1 router policy (1 unknown)'),
    },
    'the source of such a policy is a pod without a north gateway': {
      given: world(
        spared,
        router,
        policy({ match: 'ip4.src == 10.17.0.10', external_ids: { 'neutron:x': 'y' } }),
        subnet,
        vpc(),
        ip('web-0.shop'),
        pod('shop/web-0'),
      ),
      summary: says('1 router policy (1 neutron)'),
    },
    'its victims are gone': {
      given: world(of('v1.17.0'), damaged(['it was not Neutron'])),
      summary: says('2 rows that are gone by now'),
    },
    'some of its victims are gone': {
      given: world(of('v1.17.0'), byHand, damaged(['it was not Neutron'])),
      summary: says('1 router (1 unknown), 2 rows that are gone by now'),
    },
    'two switches': {
      given: world(controller(...DEFAULTS), net, row('Logical_Switch', 'by-hand', {})),
      summary: says('2 switches (1 neutron, 1 unknown)'),
    },
    'it spares switches, not load balancers': {
      given: world(
        controller('--gc-interval=360', '--enable-external-vpc=true', '--enable-lb'),
        net,
        balancer,
      ),
      summary: says('1 load balancer (1 octavia)'),
    },
    'the last of its flags counts': {
      given: world(controller('--enable-external-vpc=true', '--enable-external-vpc=0'), net),
      summary: says('1 switch (1 neutron)'),
    },
  },
});

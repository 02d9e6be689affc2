import { logicalSwitch, object, pod, port, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-logical-router-policy';

const VENDOR = { vendor: 'kube-ovn' };
const router = row('Logical_Router', 'ovn-cluster', { external_ids: VENDOR });
const policy = (
  priority: number,
  match: string,
  ids: Record<string, string>,
  columns: Record<string, unknown> = {},
): Built<'Logical_Router_Policy'> =>
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority,
    match,
    external_ids: { ...VENDOR, ...ids },
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'policies' }],
    ...columns,
  });

const toSubnet = policy(31000, 'ip4.dst == 10.17.0.0/20', { subnet: 'apps' });
const toNode = policy(30000, 'ip4.dst == 192.168.10.11', {
  node: 'worker-1',
  'address-family': '4',
});
const fromSubnetOnNode = policy(29000, 'ip4.src == $apps.worker.1_ip4', {
  subnet: 'apps',
  node: 'worker-1',
});
const localDns = policy(30000, 'ip4.src == $node.worker.1_ip4 && ip4.dst == 169.254.25.10', {
  node: 'worker-1',
  'address-family': '4',
  isLocalDnsCache: 'true',
});
const WITHOUT_BALANCER = { isU2ORoutePolicy: 'true', isU2ONoLBRoutePolicy: 'true' };
const OVERLAY_ONLY = { isU2ORoutePolicy: 'true', isU2OOverlayOnlyRoutePolicy: 'true' };
const staysInUnderlay = policy(30060, 'ip4.src == 10.80.0.0/24 && ip4.dst == 10.80.0.0/24', {
  ...OVERLAY_ONLY,
  subnet: 'legacy',
});
const toUnderlay = policy(
  29400,
  'ip4.src == $ovn.cluster.u2o_overlay_cidrs.ip4 && ip4.dst == 10.80.0.0/24',
  { ...OVERLAY_ONLY, subnet: 'legacy' },
);
const natGateway = policy(29200, 'ip4.src == 10.50.0.0/24', { 'vpc-nat-gateway': 'gw', af: '4' });
const egressGateway = policy(29100, 'ip4.src == $VEG.9c815f557c4d_ip4', {
  'vpc-egress-gateway': 'edge/out',
  af: '4',
});
const severalGateways = (...nodes: string[]) =>
  policy(
    29000,
    'ip4.src == 10.17.0.0/20',
    { subnet: 'apps', ...Object.fromEntries(nodes.map((it, i) => [it, `100.64.0.${i + 2}`])) },
    { nexthops: nodes.map((_, i) => `100.64.0.${i + 2}`) },
  );
/** A switch with a living pod, and another Subnet, which shows that Subnets were read. */
const inUse = [
  logicalSwitch(),
  port('web-0.shop', { up: true }),
  pod('shop/web-0'),
  object('Subnet', 'other', { spec: { cidrBlock: '10.18.0.0/16' } }),
  logicalSwitch('other'),
  port('db-0.shop', { ls: 'other' }),
];
const requests = (priority: number, match: string) =>
  object('Vpc', 'ovn-cluster', { spec: { policyRoutes: [{ priority, match, action: 'allow' }] } });

testRule(rule, {
  healthy: {
    'its subnet exists': world(router, toSubnet, object('Subnet', 'apps')),
    'its node exists': world(router, toNode, object('Node', 'worker-1')),
    'its subnet and node exist': world(
      router,
      fromSubnetOnNode,
      object('Subnet', 'apps'),
      object('Node', 'worker-1'),
    ),
    'its NAT gateway exists': world(router, natGateway, object('VpcNatGateway', 'gw')),
    'its egress gateway exists': world(
      router,
      egressGateway,
      object('VpcEgressGateway', 'edge/out'),
    ),
    'its subnet has several gateways': world(
      router,
      severalGateways('worker-1', 'worker-2'),
      object('Subnet', 'apps'),
      object('Node', 'worker-1'),
      object('Node', 'worker-2'),
    ),
    'it is from the spec of a Vpc and names nobody': world(
      router,
      policy(31000, 'ip4.dst == 10.17.0.0/20', {}),
    ),
    'a Vpc asks for the same, and Kube-OVN took the two for one': world(
      router,
      toSubnet,
      requests(31000, 'ip4.dst == 10.17.0.0/20'),
    ),
    'it came from an interconnected cluster': world(
      router,
      policy(29500, 'ip4.dst == 10.90.0.0/16', { origin: 'connected' }),
    ),
    'its priority, keys and match do not agree': world(
      router,
      policy(1000, 'ip4.dst == 10.17.0.0/20', { subnet: 'apps' }),
      policy(30000, 'ip4.dst == 192.168.10.11', { node: 'worker-1', 'address-family': '6' }),
    ),
    "its router is somebody else's": world(
      row('Logical_Router', 'ovn-cluster', { external_ids: { 'neutron:router_name': 'r' } }),
      toSubnet,
    ),
    'it is hand-made': world(
      router,
      policy(
        31000,
        'ip4.dst == 10.17.0.0/20',
        { subnet: 'apps' },
        { external_ids: { subnet: 'apps' } },
      ),
    ),
    "a key is named after a node that is gone, so it may be no node's": world(
      router,
      severalGateways('worker-1'),
      object('Subnet', 'apps'),
    ),
  },
  unknown: {
    'a Subnet of the Vpc that lives has the block': world(
      router,
      toSubnet,
      object('Subnet', 'again', {
        spec: { vpc: 'ovn-cluster', cidrBlock: 'fd00::/64,10.17.3.0/20' },
      }),
    ),
    'a Subnet of the default Vpc that lives has the block': world(
      router,
      toSubnet,
      object('Subnet', 'again', { spec: { cidrBlock: '10.17.0.0/20' } }),
    ),
    'a Node that lives has the address': world(
      router,
      toNode,
      object('Node', 'renamed', {
        status: { addresses: [{ type: 'InternalIP', address: '192.168.10.11' }] },
      }),
    ),
    'a Subnet whose name is the same in OVN lives, and the Node': world(
      router,
      policy(29000, 'ip4.src == $team.web.worker.1_ip4', { subnet: 'team.web', node: 'worker-1' }),
      object('Subnet', 'team-web'),
      object('Node', 'worker-1'),
    ),
    'a Node whose name is the same in OVN asks its local DNS by it': world(
      router,
      localDns,
      object('Node', 'worker.1'),
    ),
    'a Subnet whose name is the same in OVN lives, and the Node, where OVN balances no Services':
      world(
        router,
        policy(29400, 'ip4.src == $team.web.worker.1_ip4 && ip4.dst == 10.96.0.0/12', {
          ...WITHOUT_BALANCER,
          subnet: 'team.web',
          node: 'worker-1',
        }),
        object('Subnet', 'team-web'),
        object('Node', 'worker-1'),
      ),
    'an underlay that lives stays in the block': world(
      router,
      staysInUnderlay,
      object('Subnet', 'again', { spec: { cidrBlock: '10.80.0.0/24' } }),
    ),
    'an underlay that lives is reached at the block': world(
      router,
      toUnderlay,
      object('Subnet', 'again', { spec: { cidrBlock: '10.80.0.0/24' } }),
    ),
    'another NAT gateway of the Vpc has the network': world(
      router,
      natGateway,
      object('VpcNatGateway', 'new', {
        spec: { vpc: 'ovn-cluster', internalCIDRs: ['10.50.0.0/24'] },
      }),
    ),
    'the pods of its subnet run on, as it was deleted by force': world(router, toSubnet, ...inUse),
    'its underlay, which was deleted by force, has an uplink': world(
      router,
      policy(29400, 'ip4.dst == 10.80.0.0/24', { isU2ORoutePolicy: 'true', subnet: 'legacy' }),
      ...inUse,
      logicalSwitch('legacy'),
      port('localnet.legacy', { ls: 'legacy', type: 'localnet', external_ids: {} }),
    ),
    'the pods of its subnet run on, though the node is gone as well': world(
      router,
      fromSubnetOnNode,
      ...inUse,
    ),
    'another NAT gateway of the Vpc serves the Subnet that has the network': world(
      router,
      natGateway,
      object('Subnet', 'lan', { spec: { cidrBlock: '10.50.0.0/24' } }),
      object('VpcNatGateway', 'new', { spec: { vpc: 'ovn-cluster', internalSubnets: ['lan'] } }),
    ),
    'another NAT gateway of the Vpc serves a Subnet that is gone': world(
      router,
      natGateway,
      object('VpcNatGateway', 'new', { spec: { vpc: 'ovn-cluster', internalSubnets: ['lan'] } }),
    ),
    'nodes are not listed': world(router, toNode).unheardOf('Node'),
    'NAT gateways are not listed': world(router, natGateway).unheardOf('VpcNatGateway'),
    'egress gateways are not listed': world(router, egressGateway).unheardOf('VpcEgressGateway'),
  },
  violation: {
    'its subnet is gone': {
      given: world(router, toSubnet, object('Subnet', 'other')),
      summary:
        'router policy 31000 "ip4.dst == 10.17.0.0/20" was made for Subnet apps, which no longer exists',
    },
    'its subnet is gone, whose switch has only the end of its router': {
      given: world(
        router,
        toSubnet,
        logicalSwitch(),
        port('apps-ovn-cluster', {
          type: 'router',
          external_ids: { ...VENDOR, ls: 'apps' },
          options: { 'router-port': 'ovn-cluster-apps' },
        }),
      ),
      summary:
        'router policy 31000 "ip4.dst == 10.17.0.0/20" was made for Subnet apps, which no longer exists',
    },
    'a Subnet of another Vpc has the block': {
      given: world(
        router,
        toSubnet,
        object('Subnet', 'other', { spec: { vpc: 'tenant', cidrBlock: '10.17.0.0/20' } }),
      ),
      summary:
        'router policy 31000 "ip4.dst == 10.17.0.0/20" was made for Subnet apps, which no longer exists',
    },
    'its node is gone': {
      given: world(router, toNode, object('Node', 'worker-2')),
      summary:
        'router policy 30000 "ip4.dst == 192.168.10.11" was made for Node worker-1, which no longer exists',
    },
    'its node is gone, its subnet is not': {
      given: world(router, fromSubnetOnNode, object('Subnet', 'apps')),
      summary:
        'router policy 29000 "ip4.src == $apps.worker.1_ip4" was made for Node worker-1, which no longer exists',
    },
    'its node, which asked its local DNS by it, is gone': {
      given: world(router, localDns, object('Node', 'worker-2')),
      summary:
        'router policy 30000 "ip4.src == $node.worker.1_ip4 && ip4.dst == 169.254.25.10" was made for Node worker-1, which no longer exists',
    },
    'its underlay, whose Services OVN does not balance, is gone': {
      given: world(
        router,
        policy(29400, 'ip4.src == $apps.worker.1_ip4 && ip4.dst == 10.96.0.0/12', {
          ...WITHOUT_BALANCER,
          subnet: 'apps',
          node: 'worker-1',
          svcCidr: '10.96.0.0/12',
        }),
        object('Node', 'worker-1'),
      ),
      summary:
        'router policy 29400 "ip4.src == $apps.worker.1_ip4 && ip4.dst == 10.96.0.0/12" was made for Subnet apps, which no longer exists',
    },
    'its underlay, which stayed in itself, is gone': {
      given: world(router, staysInUnderlay),
      summary:
        'router policy 30060 "ip4.src == 10.80.0.0/24 && ip4.dst == 10.80.0.0/24" was made for Subnet legacy, which no longer exists',
    },
    'its underlay, which overlays reached, is gone': {
      given: world(router, toUnderlay),
      summary:
        'router policy 29400 "ip4.src == $ovn.cluster.u2o_overlay_cidrs.ip4 && ip4.dst == 10.80.0.0/24" was made for Subnet legacy, which no longer exists',
    },
    'its subnet is gone, its node is not': {
      given: world(router, fromSubnetOnNode, object('Node', 'worker-1')),
      summary:
        'router policy 29000 "ip4.src == $apps.worker.1_ip4" was made for Subnet apps, which no longer exists',
    },
    'a Vpc asks for the same match at another priority': {
      given: world(router, toSubnet, requests(30999, 'ip4.dst == 10.17.0.0/20')),
      summary:
        'router policy 31000 "ip4.dst == 10.17.0.0/20" was made for Subnet apps, which no longer exists',
    },
    'its NAT gateway is gone': {
      given: world(router, natGateway),
      summary:
        'router policy 29200 "ip4.src == 10.50.0.0/24" was made for VpcNatGateway gw, which no longer exists',
    },
    'a Subnet whose name is the same in OVN lives, and no Node of that name does': {
      given: world(
        router,
        policy(29000, 'ip4.src == $team.web.worker.1_ip4', {
          subnet: 'team.web',
          node: 'worker-1',
        }),
        object('Subnet', 'team-web'),
        object('Node', 'worker-2'),
      ),
      summary:
        'router policy 29000 "ip4.src == $team.web.worker.1_ip4" was made for Subnet team.web, which no longer exists',
    },
    'a NAT gateway of another Vpc has the network': {
      given: world(
        router,
        natGateway,
        object('VpcNatGateway', 'new', {
          spec: { vpc: 'tenant', internalCIDRs: ['10.50.0.0/24'] },
        }),
      ),
      summary:
        'router policy 29200 "ip4.src == 10.50.0.0/24" was made for VpcNatGateway gw, which no longer exists',
    },
    'its NAT gateway is gone, and the Subnet that it served is not': {
      given: world(
        router,
        natGateway,
        object('Subnet', 'lan', { spec: { cidrBlock: '10.50.0.0/24' } }),
        object('Subnet', 'other', { spec: { cidrBlock: '10.51.0.0/24' } }),
        object('VpcNatGateway', 'new', {
          spec: { vpc: 'ovn-cluster', internalSubnets: ['other'] },
        }),
      ),
      summary:
        'router policy 29200 "ip4.src == 10.50.0.0/24" was made for VpcNatGateway gw, which no longer exists',
    },
    'its egress gateway is gone': {
      given: world(router, egressGateway),
      summary:
        'router policy 29100 "ip4.src == $VEG.9c815f557c4d_ip4" was made for VpcEgressGateway edge/out, which no longer exists',
    },
  },
});

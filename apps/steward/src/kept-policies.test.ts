import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import type { Mutation } from './testing/mutate';
import { doomedIn, ownPort } from './testing/scenario';
import type { Scenario } from './testing/scenario';

const group = ({ nb }: Mutation, name: string, ids: object, columns: object = {}): string =>
  nb.insert('Port_Group', { name, external_ids: { ...VENDOR, ...ids }, ...columns });
const addresses = ({ nb }: Mutation, name: string, ids: object): string =>
  nb.insert('Address_Set', { name, external_ids: { ...VENDOR, ...ids } });
const policy = (
  { nb }: Mutation,
  router: string,
  priority: number,
  match: string,
  ids: object,
  columns: object = {},
): string =>
  nb.insert(
    'Logical_Router_Policy',
    { priority, match, action: 'reroute', external_ids: { ...VENDOR, ...ids }, ...columns },
    { row: nb.row('Logical_Router', router), column: 'policies' },
  );
const routerPort = ({ nb }: Mutation, router: string, name: string, columns: object = {}): string =>
  nb.insert(
    'Logical_Router_Port',
    {
      name,
      mac: '00:00:00:00:00:01',
      networks: ['10.9.0.1/24'],
      external_ids: { ...VENDOR, lr: router },
      ...columns,
    },
    { row: nb.row('Logical_Router', router), column: 'ports' },
  );
const vpcKeys = (it: Mutation): Mutation => {
  it.add('Vpc', 'lone', { spec: {}, status: {} });
  return it;
};

/** Rows of policies, groups, sets and routers that look abandoned and are not. */
const KEPT: readonly Scenario[] = [
  [
    'a policy whose name begins with a digit',
    (it) => {
      it.add('NetworkPolicy', 'shop/1-deny');
      group(it, 'np1.deny.shop', { np: 'shop/np1-deny' });
      addresses(it, 'np1.deny.shop.ingress.allow.IPv4.all', { np: 'shop/np1-deny/ingress' });
    },
  ],
  [
    'a policy whose name begins with np',
    (it) => {
      it.add('NetworkPolicy', 'shop/np-deny');
      group(it, 'np.deny.shop', { np: 'shop/np-deny' });
    },
  ],
  [
    'two policies whose names are one name in OVN',
    (it) => {
      it.add('NetworkPolicy', 'c/a.b');
      group(it, 'a.b.c', { np: 'c/a-b' });
      addresses(it, 'a.b.c.egress.except.IPv6.0', { np: 'c/a-b/egress' });
    },
  ],
  [
    'a policy and its namespace whose names join otherwise',
    (it) => {
      it.add('NetworkPolicy', 'b-c/a');
      group(it, 'a.b.c', { np: 'c/a-b' });
    },
  ],
  [
    'a policy of a namespace called node',
    (it) => {
      it.add('NetworkPolicy', 'node/strict');
      group(it, 'strict.node', { np: 'node/strict' });
    },
  ],
  [
    'a policy of a namespace called like a subnet',
    (it) => {
      it.add('NetworkPolicy', 'apps/strict');
      group(it, 'strict.apps', { np: 'apps/strict' });
    },
  ],
  [
    'two subnets and nodes whose names are one name in OVN',
    (it) => {
      it.add('Subnet', 'a', { spec: {}, status: {} });
      it.add('Node', 'b-c');
      group(it, 'a.b.c', { subnet: 'a-b', node: 'c', np: 'a-b/c' });
    },
  ],
  [
    'a dotted node',
    (it) => {
      it.add('Node', 'n.example.net');
      group(it, 'node.n.example.net', { node: 'n.example.net', np: 'node/n.example.net' });
      group(it, 'apps.n.example.net', {
        subnet: 'apps',
        node: 'n.example.net',
        np: 'apps/n.example.net',
      });
      policy(it, 'ovn-cluster', 30000, 'ip4.dst == 10.1.1.1', {
        node: 'n.example.net',
        'address-family': '4',
      });
    },
  ],
  [
    'security groups with dashes and dots',
    (it) => {
      for (const name of ['x-y.z', 'constructor']) {
        it.add('SecurityGroup', name);
        group(it, `ovn.sg.${name.replaceAll('-', '.')}`, { type: 'security_group', sg: name });
        addresses(it, `ovn.sg.${name.replaceAll('-', '.')}.associated.v4`, { sg: name });
      }
    },
  ],
  [
    'two security groups whose names are one name in OVN',
    (it) => {
      it.add('SecurityGroup', 'x.y');
      group(it, 'ovn.sg.x.y', { type: 'security_group', sg: 'x-y' });
      addresses(it, 'ovn.sg.x.y.associated.v6', { sg: 'x-y' });
    },
  ],
  [
    'the security groups Kube-OVN makes for itself',
    (it) => {
      group(it, 'ovn.sg.default.securitygroup', {
        type: 'security_group',
        sg: 'default-securitygroup',
      });
      addresses(it, 'ovn.sg.default.securitygroup.associated.v4', { sg: 'default-securitygroup' });
    },
  ],
  [
    'rows of admin policies, also where they are not installed',
    (it) => {
      for (const kind of ['anp', 'banp', 'cnp']) {
        group(it, `x${kind}`, { [kind]: `x${kind}` });
        addresses(it, `x${kind}.ingress.0.r.IPv4`, { [kind]: `x${kind}/ingress` });
      }
    },
  ],
  [
    'a pool whose name has dashes',
    (it) => {
      it.add('IPPool', 'a-b-c', { spec: { subnet: 'apps' } });
      addresses(it, 'a.b.c', { ippool: 'a-b-c' });
    },
  ],
  [
    'two pools whose names are one name in OVN',
    (it) => {
      it.add('IPPool', 'a.b', { spec: { subnet: 'apps' } });
      addresses(it, 'a.b', { ippool: 'a-b' });
    },
  ],
  [
    'an underlay without load balancers',
    (it) => {
      group(it, 'legacy.u2o.cp.1', { lr: 'ovn-cluster', ls: 'legacy-u2o', u2o: 'true' });
      policy(
        it,
        'ovn-cluster',
        29400,
        'ip4.src == $legacy.u2o.cp.1_ip4 && ip4.dst == 10.96.0.0/12',
        { isU2ORoutePolicy: 'true', isU2ONoLBRoutePolicy: 'true', subnet: 'legacy-u2o' },
      );
    },
  ],
  [
    'sets of a VPC',
    (it) => {
      addresses(vpcKeys(it), 'lone.u2o_overlay_cidrs.ip4', {
        isU2OOverlayCIDRs: 'true',
        vpc: 'lone',
      });
    },
  ],
  [
    'a set of a gone policy that a living one names',
    (it) => {
      addresses(it, 'gone.shop.ingress.allow.IPv4.0', { np: 'shop/gone/ingress' });
      it.nb.rows('ACL')[0]!['match'] = 'ip4.src == $gone.shop.ingress.allow.IPv4.0';
    },
  ],
  [
    'a group of a gone policy that a policy of a Vpc names',
    (it) => {
      group(it, 'gone.shop', { np: 'shop/gone' });
      policy(it, 'tenant-b-vpc', 50, 'ip4.src == $gone.shop_ip4', {});
    },
  ],
  [
    'a policy the Vpc asks for, with the keys of a subnet',
    (it) => {
      it.get('Vpc', 'tenant-b-vpc').spec.policyRoutes.push({
        priority: 31000,
        match: 'ip4.dst == 10.1.0.0/16',
        action: 'allow',
      });
      policy(it, 'tenant-b-vpc', 31000, 'ip4.dst == 10.1.0.0/16', { subnet: 'gone' });
    },
  ],
  [
    'policies without keys, of the spec or by hand',
    (it) => {
      policy(it, 'ovn-cluster', 77, 'ip4.src == 10.3.0.0/16', {});
      it.nb.insert(
        'Logical_Router_Policy',
        { priority: 78, match: '1', action: 'drop' },
        { row: it.nb.row('Logical_Router', 'ovn-cluster'), column: 'policies' },
      );
    },
  ],
  [
    'a central gateway of several nodes',
    (it) => {
      policy(
        it,
        'ovn-cluster',
        29000,
        'ip4.src == 10.17.0.0/20',
        { subnet: 'apps', 'worker-1': '100.64.0.3', 'worker-2': '100.64.0.4' },
        { nexthops: ['100.64.0.3', '100.64.0.4'] },
      );
    },
  ],
  [
    'node-local DNS',
    (it) => {
      policy(it, 'ovn-cluster', 30000, 'ip4.src == $node.cp.1_ip4 && ip4.dst == 169.254.20.10', {
        isLocalDnsCache: 'true',
        node: 'cp-1',
        'address-family': '4',
      });
    },
  ],
  [
    'policies of a highly available gateway',
    (it) => {
      for (const priority of [29190, 29200])
        policy(it, 'tenant-a-vpc', priority, 'ip4.src == 10.50.0.0/24', {
          'vpc-nat-gateway': 'gw-a',
          af: '4',
        });
    },
  ],
  [
    'policies of an egress gateway',
    (it) => {
      for (const priority of [29090, 29100])
        policy(it, 'tenant-b-vpc', priority, 'ip4.src == $VEG.3317aa3ff337_ip4', {
          'vpc-egress-gateway': 'tenant-b/veg-1',
          af: '4',
        });
      group(it, 'VEG.3317aa3ff337', { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' });
    },
  ],
  [
    'policies of interconnection',
    (it) => {
      policy(it, 'ovn-cluster', 29500, 'ip4.dst == 10.200.0.0/16', { origin: 'connected' });
    },
  ],
  [
    'routes by hand, of the spec and learned',
    (it) => {
      const into = { row: it.nb.row('Logical_Router', 'ovn-cluster'), column: 'static_routes' };
      for (const ids of [{}, VENDOR, { 'ic-learned-route': 'x' }])
        it.nb.insert(
          'Logical_Router_Static_Route',
          { ip_prefix: '10.250.0.0/16', nexthop: '100.64.0.9', external_ids: ids },
          into,
        );
    },
  ],
  [
    'a port between VPCs of which one is gone',
    (it) => {
      it.remove('Vpc', 'peer-c-vpc');
      it.nb
        .rows('Address_Set')
        .filter((one) => (one['external_ids'] as Record<string, string>)['vpc'] === 'peer-c-vpc')
        .forEach(it.nb.drop);
    },
  ],
  [
    'a port to a peer that is not in any status yet',
    (it) => {
      routerPort(it, 'tenant-a-vpc', 'tenant-a-vpc-elsewhere', {
        peer: ['elsewhere-tenant-a-vpc'],
      });
    },
  ],
  [
    'a port to a Vpc',
    (it) => {
      routerPort(vpcKeys(it), 'tenant-a-vpc', 'tenant-a-vpc-lone');
    },
  ],
  [
    'a port of a BFD session',
    (it) => {
      routerPort(it, 'tenant-a-vpc', 'bfd@tenant-a-vpc', { options: { 'bfd-only': 'true' } });
    },
  ],
  [
    'a port to the external switch made from a ConfigMap',
    (it) => {
      routerPort(it, 'ovn-cluster', 'ovn-cluster-ovn-external');
      it.nb.insert('Logical_Switch', { name: 'ovn-external', external_ids: VENDOR });
    },
  ],
  [
    'a port to an external network of another name, bound to chassis',
    (it) => {
      const gateway = it.nb.insert('Gateway_Chassis', {
        name: 'ovn-cluster-ext2-c1',
        chassis_name: 'c1',
        priority: 100,
        external_ids: { lrp: 'ovn-cluster-ext2' },
      });
      routerPort(it, 'ovn-cluster', 'ovn-cluster-ext2', { gateway_chassis: [gateway] });
    },
  ],
  [
    'a port to an external network that the Vpc asks for',
    (it) => {
      it.get('Vpc', 'tenant-b-vpc').spec.extraExternalSubnets = ['ext3'];
      routerPort(it, 'tenant-b-vpc', 'tenant-b-vpc-ext3');
    },
  ],
  [
    'ports of interconnection',
    (it) => {
      const ts = it.nb.insert('Logical_Switch', {
        name: 'ts',
        other_config: { 'interconn-ts': 'ts' },
      });
      routerPort(it, 'ovn-cluster', 'az1-ts');
      it.nb.insert(
        'Logical_Switch_Port',
        {
          name: 'ts-az1',
          type: 'router',
          options: { 'router-port': 'az1-ts' },
          external_ids: { ...VENDOR, ls: 'ts' },
        },
        { row: it.nb.row('Logical_Switch', ts), column: 'ports' },
      );
    },
  ],
  [
    'a port whose Subnet is gone while its switch stands',
    (it) => {
      it.remove('Subnet', 'legacy-u2o');
      it.nb
        .rows('Logical_Router_Policy')
        .filter((one) => (one['external_ids'] as Record<string, string>)['subnet'] === 'legacy-u2o')
        .forEach(it.nb.drop);
      it.nb
        .rows('Address_Set')
        .filter((one) => (one['external_ids'] as Record<string, string>)['subnet'] === 'legacy-u2o')
        .forEach(it.nb.drop);
      it.remove('IP', 'u2o-interconnection.ovn-cluster.legacy-u2o');
    },
  ],
  [
    'a Subnet and a Vpc that are being deleted',
    (it) => {
      it.get('Subnet', 'tb-net').metadata.deletionTimestamp = '2026-08-22T00:00:00Z';
      it.get('Vpc', 'tenant-b-vpc').metadata.deletionTimestamp = '2026-08-22T00:00:00Z';
    },
  ],
  [
    'a default VPC of another name',
    (it) => {
      const ids = { ...VENDOR, lr: 'main-vpc' };
      it.add('Vpc', 'main-vpc', { spec: {}, status: { default: true } });
      const lrp = it.nb.insert('Logical_Router_Port', {
        name: 'main-vpc-nodes',
        networks: ['100.64.0.1/16'],
        mac: '00:00:00:00:00:02',
        external_ids: ids,
      });
      it.nb.insert('Logical_Router', { name: 'main-vpc', ports: [lrp], external_ids: VENDOR });
      it.add('Subnet', 'nodes', { spec: {}, status: {} });
    },
  ],
  [
    'a group somebody protects',
    (it) => {
      group(it, 'gone.shop', { np: 'shop/gone', 'ovn-steward.dev/protect': '' });
    },
  ],
  [
    'a group with a rule somebody protects',
    (it) => {
      const acl = it.nb.insert('ACL', {
        priority: 1,
        direction: 'to-lport',
        match: 'ip',
        action: 'allow',
        external_ids: { ...VENDOR, parent: 'gone.shop', 'ovn-steward.dev/protect': '' },
      });
      group(it, 'gone.shop', { np: 'shop/gone' }, { acls: [acl] });
    },
  ],
  [
    'a group with a port by hand',
    (it) => {
      const by = it.nb.insert(
        'Logical_Switch_Port',
        { name: 'by-hand' },
        { row: it.nb.row('Logical_Switch', 'apps'), column: 'ports' },
      );
      group(it, 'gone.shop', { np: 'shop/gone' }, { ports: [by] });
    },
  ],
  [
    'a group with a rule by hand',
    (it) => {
      const acl = it.nb.insert('ACL', {
        priority: 1,
        direction: 'to-lport',
        match: 'ip',
        action: 'allow',
      });
      group(it, 'gone.shop', { np: 'shop/gone' }, { acls: [acl] });
    },
  ],
  [
    "a node's external gateway port",
    (it) => {
      it.add('OvnEip', 'cp-1', {
        spec: { externalSubnet: 'external', type: 'lsp', v4Ip: '198.51.100.77' },
        status: {},
      });
      ownPort(it, 'cp-1', 'external');
    },
  ],
];

test.each(KEPT)('%s: nothing is called garbage', async (_title, change) => {
  expect(await doomedIn('clean', change)).toEqual([]);
});

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
const vpcKeys = (recording: Mutation): Mutation => {
  recording.add('Vpc', 'lone', { spec: {}, status: {} });
  return recording;
};

/** Rows of policies, groups, sets and routers that look abandoned and are not. */
const KEPT: readonly Scenario[] = [
  [
    'a policy whose name begins with a digit',
    (recording) => {
      recording.add('NetworkPolicy', 'shop/1-deny');
      group(recording, 'np1.deny.shop', { np: 'shop/np1-deny' });
      addresses(recording, 'np1.deny.shop.ingress.allow.IPv4.all', { np: 'shop/np1-deny/ingress' });
    },
  ],
  [
    'a policy whose name begins with np',
    (recording) => {
      recording.add('NetworkPolicy', 'shop/np-deny');
      group(recording, 'np.deny.shop', { np: 'shop/np-deny' });
    },
  ],
  [
    'two policies whose names are one name in OVN',
    (recording) => {
      recording.add('NetworkPolicy', 'c/a.b');
      group(recording, 'a.b.c', { np: 'c/a-b' });
      addresses(recording, 'a.b.c.egress.except.IPv6.0', { np: 'c/a-b/egress' });
    },
  ],
  [
    'a policy and its namespace whose names join otherwise',
    (recording) => {
      recording.add('NetworkPolicy', 'b-c/a');
      group(recording, 'a.b.c', { np: 'c/a-b' });
    },
  ],
  [
    'a policy of a namespace called node',
    (recording) => {
      recording.add('NetworkPolicy', 'node/strict');
      group(recording, 'strict.node', { np: 'node/strict' });
    },
  ],
  [
    'a policy of a namespace called like a subnet',
    (recording) => {
      recording.add('NetworkPolicy', 'apps/strict');
      group(recording, 'strict.apps', { np: 'apps/strict' });
    },
  ],
  [
    'two subnets and nodes whose names are one name in OVN',
    (recording) => {
      recording.add('Subnet', 'a', { spec: {}, status: {} });
      recording.add('Node', 'b-c');
      group(recording, 'a.b.c', { subnet: 'a-b', node: 'c', np: 'a-b/c' });
    },
  ],
  [
    'a dotted node',
    (recording) => {
      recording.add('Node', 'n.example.net');
      group(recording, 'node.n.example.net', { node: 'n.example.net', np: 'node/n.example.net' });
      group(recording, 'apps.n.example.net', {
        subnet: 'apps',
        node: 'n.example.net',
        np: 'apps/n.example.net',
      });
      policy(recording, 'ovn-cluster', 30000, 'ip4.dst == 10.1.1.1', {
        node: 'n.example.net',
        'address-family': '4',
      });
    },
  ],
  [
    'security groups with dashes and dots',
    (recording) => {
      for (const name of ['x-y.z', 'constructor']) {
        recording.add('SecurityGroup', name);
        group(recording, `ovn.sg.${name.replaceAll('-', '.')}`, {
          type: 'security_group',
          sg: name,
        });
        addresses(recording, `ovn.sg.${name.replaceAll('-', '.')}.associated.v4`, { sg: name });
      }
    },
  ],
  [
    'two security groups whose names are one name in OVN',
    (recording) => {
      recording.add('SecurityGroup', 'x.y');
      group(recording, 'ovn.sg.x.y', { type: 'security_group', sg: 'x-y' });
      addresses(recording, 'ovn.sg.x.y.associated.v6', { sg: 'x-y' });
    },
  ],
  [
    'the security groups Kube-OVN makes for itself',
    (recording) => {
      group(recording, 'ovn.sg.default.securitygroup', {
        type: 'security_group',
        sg: 'default-securitygroup',
      });
      addresses(recording, 'ovn.sg.default.securitygroup.associated.v4', {
        sg: 'default-securitygroup',
      });
    },
  ],
  [
    'rows of admin policies, also where they are not installed',
    (recording) => {
      for (const kind of ['anp', 'banp', 'cnp']) {
        group(recording, `x${kind}`, { [kind]: `x${kind}` });
        addresses(recording, `x${kind}.ingress.0.r.IPv4`, { [kind]: `x${kind}/ingress` });
      }
    },
  ],
  [
    'a pool whose name has dashes',
    (recording) => {
      recording.add('IPPool', 'a-b-c', { spec: { subnet: 'apps' } });
      addresses(recording, 'a.b.c', { ippool: 'a-b-c' });
    },
  ],
  [
    'two pools whose names are one name in OVN',
    (recording) => {
      recording.add('IPPool', 'a.b', { spec: { subnet: 'apps' } });
      addresses(recording, 'a.b', { ippool: 'a-b' });
    },
  ],
  [
    'an underlay without load balancers',
    (recording) => {
      group(recording, 'legacy.u2o.cp.1', { lr: 'ovn-cluster', ls: 'legacy-u2o', u2o: 'true' });
      policy(
        recording,
        'ovn-cluster',
        29400,
        'ip4.src == $legacy.u2o.cp.1_ip4 && ip4.dst == 10.96.0.0/12',
        {
          isU2ORoutePolicy: 'true',
          isU2ONoLBRoutePolicy: 'true',
          subnet: 'legacy-u2o',
          node: 'cp-1',
        },
      );
    },
  ],
  [
    'sets of a VPC',
    (recording) => {
      addresses(vpcKeys(recording), 'lone.u2o_overlay_cidrs.ip4', {
        isU2OOverlayCIDRs: 'true',
        vpc: 'lone',
      });
    },
  ],
  [
    'a set of a gone policy that a living one names',
    (recording) => {
      addresses(recording, 'gone.shop.ingress.allow.IPv4.0', { np: 'shop/gone/ingress' });
      recording.nb.rows('ACL')[0]!['match'] = 'ip4.src == $gone.shop.ingress.allow.IPv4.0';
    },
  ],
  [
    'a group of a gone policy that a policy of a Vpc names',
    (recording) => {
      group(recording, 'gone.shop', { np: 'shop/gone' });
      policy(recording, 'tenant-b-vpc', 50, 'ip4.src == $gone.shop_ip4', {});
    },
  ],
  [
    'a policy the Vpc asks for, with the keys of a subnet',
    (recording) => {
      recording.get('Vpc', 'tenant-b-vpc').spec.policyRoutes.push({
        priority: 31000,
        match: 'ip4.dst == 10.1.0.0/16',
        action: 'allow',
      });
      policy(recording, 'tenant-b-vpc', 31000, 'ip4.dst == 10.1.0.0/16', { subnet: 'gone' });
    },
  ],
  [
    'policies without keys, of the spec or by hand',
    (recording) => {
      policy(recording, 'ovn-cluster', 77, 'ip4.src == 10.3.0.0/16', {});
      recording.nb.insert(
        'Logical_Router_Policy',
        { priority: 78, match: '1', action: 'drop' },
        { row: recording.nb.row('Logical_Router', 'ovn-cluster'), column: 'policies' },
      );
    },
  ],
  [
    'a central gateway of several nodes',
    (recording) => {
      policy(
        recording,
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
    (recording) => {
      policy(
        recording,
        'ovn-cluster',
        30000,
        'ip4.src == $node.cp.1_ip4 && ip4.dst == 169.254.20.10',
        {
          isLocalDnsCache: 'true',
          node: 'cp-1',
          'address-family': '4',
        },
      );
    },
  ],
  [
    'policies of a highly available gateway',
    (recording) => {
      for (const priority of [29190, 29200])
        policy(recording, 'tenant-a-vpc', priority, 'ip4.src == 10.50.0.0/24', {
          'vpc-nat-gateway': 'gw-a',
          af: '4',
        });
    },
  ],
  [
    'policies of an egress gateway',
    (recording) => {
      for (const priority of [29090, 29100])
        policy(recording, 'tenant-b-vpc', priority, 'ip4.src == $VEG.3317aa3ff337_ip4', {
          'vpc-egress-gateway': 'tenant-b/veg-1',
          af: '4',
        });
      group(recording, 'VEG.3317aa3ff337', { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' });
    },
  ],
  [
    'policies of interconnection',
    (recording) => {
      policy(recording, 'ovn-cluster', 29500, 'ip4.dst == 10.200.0.0/16', { origin: 'connected' });
    },
  ],
  [
    'routes by hand, of the spec and learned',
    (recording) => {
      const into = {
        row: recording.nb.row('Logical_Router', 'ovn-cluster'),
        column: 'static_routes',
      };
      for (const ids of [{}, VENDOR, { 'ic-learned-route': 'x' }])
        recording.nb.insert(
          'Logical_Router_Static_Route',
          { ip_prefix: '10.250.0.0/16', nexthop: '100.64.0.9', external_ids: ids },
          into,
        );
    },
  ],
  [
    'a port between VPCs of which one is gone',
    (recording) => {
      recording.remove('Vpc', 'peer-c-vpc');
      recording.nb
        .rows('Address_Set')
        .filter((one) => (one['external_ids'] as Record<string, string>)['vpc'] === 'peer-c-vpc')
        .forEach(recording.nb.drop);
    },
  ],
  [
    'a port to a peer that its Vpc asks for and no status has yet',
    (recording) => {
      recording.get('Vpc', 'tenant-a-vpc').spec.vpcPeerings = [
        { remoteVpc: 'elsewhere', localConnectIP: '10.254.0.1/30' },
      ];
      routerPort(recording, 'tenant-a-vpc', 'tenant-a-vpc-elsewhere', {
        peer: ['elsewhere-tenant-a-vpc'],
      });
    },
  ],
  [
    'a port to a Vpc',
    (recording) => {
      routerPort(vpcKeys(recording), 'tenant-a-vpc', 'tenant-a-vpc-lone');
    },
  ],
  [
    'a port of a BFD session',
    (recording) => {
      routerPort(recording, 'tenant-a-vpc', 'bfd@tenant-a-vpc', {
        options: { 'bfd-only': 'true' },
      });
    },
  ],
  [
    'a port to the external switch made from a ConfigMap',
    (recording) => {
      routerPort(recording, 'ovn-cluster', 'ovn-cluster-ovn-external');
      recording.nb.insert('Logical_Switch', { name: 'ovn-external', external_ids: VENDOR });
    },
  ],
  [
    'a port to an external network of another name, bound to chassis',
    (recording) => {
      const gateway = recording.nb.insert('Gateway_Chassis', {
        name: 'ovn-cluster-ext2-c1',
        chassis_name: 'c1',
        priority: 100,
        external_ids: { lrp: 'ovn-cluster-ext2' },
      });
      routerPort(recording, 'ovn-cluster', 'ovn-cluster-ext2', { gateway_chassis: [gateway] });
    },
  ],
  [
    'a port to an external network that the Vpc asks for',
    (recording) => {
      recording.get('Vpc', 'tenant-b-vpc').spec.extraExternalSubnets = ['ext3'];
      routerPort(recording, 'tenant-b-vpc', 'tenant-b-vpc-ext3');
    },
  ],
  [
    'ports of interconnection',
    (recording) => {
      const ts = recording.nb.insert('Logical_Switch', {
        name: 'ts',
        other_config: { 'interconn-ts': 'ts' },
      });
      routerPort(recording, 'ovn-cluster', 'az1-ts');
      recording.nb.insert(
        'Logical_Switch_Port',
        {
          name: 'ts-az1',
          type: 'router',
          options: { 'router-port': 'az1-ts' },
          external_ids: { ...VENDOR, ls: 'ts' },
        },
        { row: recording.nb.row('Logical_Switch', ts), column: 'ports' },
      );
    },
  ],
  [
    'a port whose Subnet is gone while its switch stands',
    (recording) => {
      recording.remove('Subnet', 'legacy-u2o');
      recording.nb
        .rows('Logical_Router_Policy')
        .filter((one) => (one['external_ids'] as Record<string, string>)['subnet'] === 'legacy-u2o')
        .forEach(recording.nb.drop);
      recording.nb
        .rows('Address_Set')
        .filter((one) => (one['external_ids'] as Record<string, string>)['subnet'] === 'legacy-u2o')
        .forEach(recording.nb.drop);
      recording.remove('IP', 'u2o-interconnection.ovn-cluster.legacy-u2o');
    },
  ],
  [
    'what pods need whose Subnet was deleted by force',
    (recording) => {
      recording.remove('Subnet', 'apps');
    },
  ],
  [
    'the group of a ClusterNetworkPolicy, of whose name the key has dots for dashes',
    (recording) => {
      recording.add('ClusterNetworkPolicy', 'allow-dns', { spec: {} });
      group(recording, 'allow.dns', { cnp: 'allow.dns' });
      addresses(recording, 'allow.dns.egress.0.dns.IPv4', { cnp: 'allow-dns/egress' });
    },
  ],
  [
    'a Subnet and a Vpc that are being deleted',
    (recording) => {
      recording.get('Subnet', 'tb-net').metadata.deletionTimestamp = '2026-08-22T00:00:00Z';
      recording.get('Vpc', 'tenant-b-vpc').metadata.deletionTimestamp = '2026-08-22T00:00:00Z';
    },
  ],
  [
    'a default VPC of another name',
    (recording) => {
      const ids = { ...VENDOR, lr: 'main-vpc' };
      recording.add('Vpc', 'main-vpc', { spec: {}, status: { default: true } });
      const lrp = recording.nb.insert('Logical_Router_Port', {
        name: 'main-vpc-nodes',
        networks: ['100.64.0.1/16'],
        mac: '00:00:00:00:00:02',
        external_ids: ids,
      });
      recording.nb.insert('Logical_Router', {
        name: 'main-vpc',
        ports: [lrp],
        external_ids: VENDOR,
      });
      recording.add('Subnet', 'nodes', { spec: {}, status: {} });
    },
  ],
  [
    'a group somebody protects',
    (recording) => {
      group(recording, 'gone.shop', { np: 'shop/gone', 'ovn-steward.dev/protect': '' });
    },
  ],
  [
    'a group with a rule somebody protects',
    (recording) => {
      const acl = recording.nb.insert('ACL', {
        priority: 1,
        direction: 'to-lport',
        match: 'ip',
        action: 'allow',
        external_ids: { ...VENDOR, parent: 'gone.shop', 'ovn-steward.dev/protect': '' },
      });
      group(recording, 'gone.shop', { np: 'shop/gone' }, { acls: [acl] });
    },
  ],
  [
    'a group with a port by hand',
    (recording) => {
      const by = recording.nb.insert(
        'Logical_Switch_Port',
        { name: 'by-hand' },
        { row: recording.nb.row('Logical_Switch', 'apps'), column: 'ports' },
      );
      group(recording, 'gone.shop', { np: 'shop/gone' }, { ports: [by] });
    },
  ],
  [
    'a group with a rule by hand',
    (recording) => {
      const acl = recording.nb.insert('ACL', {
        priority: 1,
        direction: 'to-lport',
        match: 'ip',
        action: 'allow',
      });
      group(recording, 'gone.shop', { np: 'shop/gone' }, { acls: [acl] });
    },
  ],
  [
    "a node's external gateway port",
    (recording) => {
      recording.add('OvnEip', 'cp-1', {
        spec: { externalSubnet: 'external', type: 'lsp', v4Ip: '198.51.100.77' },
        status: {},
      });
      ownPort(recording, 'cp-1', 'external');
    },
  ],
];

test.each(KEPT)('%s: nothing is called garbage', async (_title, change) => {
  expect(await doomedIn('clean', change)).toEqual([]);
});

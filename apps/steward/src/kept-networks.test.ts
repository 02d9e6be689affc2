import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import type { Mutation } from './testing/mutate';
import type { PlainRow } from './testing/nb-edit';
import { foundIn, ownIp, ownPort } from './testing/scenario';
import type { Scenario } from './testing/scenario';

const FINALIZED = { metadata: { finalizers: ['kubeovn.io/kube-ovn-controller'] } };
const MAC = '00:00:00:53:6b:b6';

/** A row in a column of a router or a switch, with Kube-OVN's tag and more keys. */
const within = (
  { nb }: Mutation,
  [table, holder, column]: readonly [table: string, holder: string, column: string],
  kind: string,
  row: PlainRow,
  ids: object = {},
): string =>
  nb.insert(
    kind,
    { external_ids: { ...VENDOR, ...ids }, ...row },
    { row: nb.row(table, holder), column },
  );
const policy = (recording: Mutation, router: string, row: PlainRow, ids: object): string =>
  within(
    recording,
    ['Logical_Router', router, 'policies'],
    'Logical_Router_Policy',
    { action: 'reroute', ...row },
    ids,
  );
const route = (recording: Mutation, router: string, row: PlainRow): string =>
  within(
    recording,
    ['Logical_Router', router, 'static_routes'],
    'Logical_Router_Static_Route',
    row,
  );
/** Kube-OVN puts no key on a NAT. */
const nat = ({ nb }: Mutation, router: string, row: PlainRow): string =>
  nb.insert(
    'NAT',
    { type: 'dnat_and_snat', ...row },
    { row: nb.row('Logical_Router', router), column: 'nat' },
  );

/** A router's port and the port of a switch that leads to it. */
function join(
  recording: Mutation,
  { router, lsw, ...row }: { router: string; lsw: string; networks: string[] } & PlainRow,
): void {
  const port = `${router}-${lsw}`;
  within(
    recording,
    ['Logical_Router', router, 'ports'],
    'Logical_Router_Port',
    { name: port, mac: MAC, ...row },
    { lr: router },
  );
  within(
    recording,
    ['Logical_Switch', lsw, 'ports'],
    'Logical_Switch_Port',
    {
      name: `${lsw}-${router}`,
      type: 'router',
      addresses: ['router'],
      options: { 'router-port': port },
    },
    { ls: lsw },
  );
}

/** A subnet of IPv6 alone in tenant-b-vpc, with a pod. */
function six(recording: Mutation): void {
  const cidrBlock = 'fd00:60::/64';
  const gateway = 'fd00:60::1';
  const address = 'fd00:60::2';
  const spec = { cidrBlock, gateway, excludeIps: [gateway], protocol: 'IPv6', provider: 'ovn' };
  recording.add('Subnet', 'six', {
    spec: { ...spec, vpc: 'tenant-b-vpc' },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      v4usingIPs: 0,
      v6usingIPs: 1,
      v6usingIPrange: address,
    },
  });
  recording.nb.insert('Logical_Switch', { name: 'six', external_ids: VENDOR });
  join(recording, { router: 'tenant-b-vpc', lsw: 'six', networks: [`${gateway}/64`] });
  const match = `ip6.dst == ${cidrBlock}`;
  policy(recording, 'tenant-b-vpc', { priority: 31000, match, action: 'allow' }, { subnet: 'six' });
  route(recording, 'tenant-b-vpc', { ip_prefix: cidrBlock, nexthop: gateway, policy: ['src-ip'] });
  const key = 'ovn.kubernetes.io/';
  recording.get('Namespace', 'tenant-b').metadata.annotations[`${key}logical_switch`] += ',six';
  const said = { allocated: 'true', routed: 'true', ip_address: address, logical_switch: 'six' };
  recording.add('Pod', 'tenant-b/p6', {
    metadata: {
      annotations: Object.fromEntries(Object.entries(said).map(([it, text]) => [key + it, text])),
    },
    spec: { nodeName: 'worker-1' },
    status: { phase: 'Running' },
  });
  const ip = { namespace: 'tenant-b', podName: 'p6', ipAddress: address, v6IpAddress: address };
  ownIp(recording, 'p6.tenant-b', 'six', ip);
  const columns = { addresses: [`${MAC} ${address}`], up: [true] };
  ownPort(recording, 'p6.tenant-b', 'six', 'tenant-b/p6', { columns });
}

/** A ready OvnFip to the pod of `six`, of which the status says nothing of IPv6. */
function fipToSix(recording: Mutation, name: string, v4Ip: string, v6Ip: string): void {
  recording.add('OvnEip', name, {
    ...FINALIZED,
    spec: { externalSubnet: 'external', type: 'nat', v4Ip, v6Ip },
    status: { v4Ip, v6Ip, type: 'nat', nat: 'fip', ready: true },
  });
  recording.add('OvnFip', name, {
    ...FINALIZED,
    spec: { ovnEip: name, ipName: 'p6.tenant-b' },
    status: { vpc: 'tenant-b-vpc', v4Eip: v4Ip, v4Ip: '', ready: true },
  });
  nat(recording, 'tenant-b-vpc', {
    external_ip: v6Ip || v4Ip,
    logical_ip: 'fd00:60::2',
    logical_port: ['p6.tenant-b'],
    external_mac: [MAC],
    options: { staleless: 'false' },
  });
  const { status } = recording.get('Subnet', 'external');
  status.v4usingIPs += 1;
  status.v4usingIPrange += `,${v4Ip}`;
}

/** Networks that look strange, as Kube-OVN makes them, and are in order. */
const KEPT: readonly Scenario[] = [
  ['a subnet of IPv6 alone', six],
  [
    'OvnFips of an IPv6 address, one by an IPv4 address outside',
    (recording) => {
      six(recording);
      fipToSix(recording, 'fip-66', '198.51.100.41', 'fd00:ee::41');
      fipToSix(recording, 'fip-46', '198.51.100.42', '');
    },
  ],
  [
    'an interconnected underlay that reaches overlays alone',
    (recording) => {
      recording.get('Subnet', 'legacy-u2o').spec.u2oFeatures = { overlayOnlyRouting: true };
      recording.nb
        .rows('Logical_Router_Policy')
        .filter((it) => (it['external_ids'] as Record<string, string>)['subnet'] === 'legacy-u2o')
        .forEach(recording.nb.drop);
      const own = '10.80.0.0/24';
      const overlays = '$ovn.cluster.u2o_overlay_cidrs.ip4';
      const ids = {
        subnet: 'legacy-u2o',
        isU2ORoutePolicy: 'true',
        isU2OOverlayOnlyRoutePolicy: 'true',
      };
      const nodes = '$legacy.u2o.u2o_exclude_ip.ip4';
      for (const [priority, match, action] of [
        [29400, `ip4.src == ${overlays} && ip4.dst == ${own}`, 'allow'],
        [30050, `ip4.src == ${own}`, 'reroute'],
        [30060, `ip4.src == ${own} && ip4.dst == ${own}`, 'allow'],
        [31000, `ip4.dst == ${nodes} && ip4.src == ${own}`, 'reroute'],
      ] as const)
        policy(recording, 'ovn-cluster', { priority, match, action }, ids);
    },
  ],
  [
    'a transit switch, with a route and a policy for what was learned',
    (recording) => {
      const { nb } = recording;
      nb.insert('Logical_Switch', { name: 'ts', other_config: { 'interconn-ts': 'ts' } });
      const networks = ['169.254.100.10/24'];
      within(
        recording,
        ['Logical_Router', 'ovn-cluster', 'ports'],
        'Logical_Router_Port',
        { name: 'az1-ts', mac: MAC, networks },
        { lr: 'ovn-cluster' },
      );
      const port = { name: 'ts-az1', type: 'router', options: { 'router-port': 'az1-ts' } };
      const ts = ['Logical_Switch', 'ts', 'ports'] as const;
      within(recording, ts, 'Logical_Switch_Port', port, { ls: 'ts' });
      within(recording, ts, 'Logical_Switch_Port', {
        name: 'ts-az2',
        type: 'remote',
        external_ids: {},
      });
      route(recording, 'ovn-cluster', {
        ip_prefix: '10.200.0.0/16',
        nexthop: '169.254.100.11',
        external_ids: { 'ic-learned-route': '11111111-1111-4111-8111-111111111111' },
      });
      const match = 'ip4.dst == 10.200.0.0/16';
      policy(
        recording,
        'ovn-cluster',
        { priority: 29500, match, action: 'allow' },
        { 'ovn-ic': 'learned' },
      );
    },
  ],
  [
    'node-local DNS on every node',
    (recording) => {
      for (const node of ['cp-1', 'worker-1', 'worker-2'])
        policy(
          recording,
          'ovn-cluster',
          {
            priority: 30100,
            match: `ip4.src == $node.${node.replace('-', '.')}_ip4 && ip4.dst == 169.254.20.10`,
          },
          { node, 'address-family': '4', isLocalDnsCache: 'true' },
        );
    },
  ],
  [
    'a Vpc that leaves by nodes with BFD',
    (recording) => {
      const { spec, status } = recording.get('Vpc', 'tenant-b-vpc');
      spec.enableBfd = status.enableBfd = true;
      const session = (peer: string): string =>
        recording.nb.insert('BFD', { logical_port: 'tenant-b-vpc-external', dst_ip: peer });
      session('198.51.100.1');
      route(recording, 'tenant-b-vpc', {
        ip_prefix: '10.60.0.0/24',
        nexthop: '198.51.100.14',
        policy: ['src-ip'],
        bfd: [session('198.51.100.14')],
        options: { ecmp_symmetric_reply: 'true' },
      });
    },
  ],
  [
    'the default VPC joined to the network outside, and pods with addresses there',
    (recording) => {
      const network = '198.51.100.20';
      const gateway = recording.nb.insert('Gateway_Chassis', {
        name: 'ovn-cluster-external-60f4a89a-537d-5139-a70b-cb9eaec86327',
        chassis_name: '60f4a89a-537d-5139-a70b-cb9eaec86327',
        priority: 100,
      });
      join(recording, {
        router: 'ovn-cluster',
        lsw: 'external',
        networks: [`${network}/24`],
        gateway_chassis: [gateway],
      });
      recording.add('OvnEip', 'ovn-cluster-external', {
        spec: { externalSubnet: 'external', type: 'lrp', v4Ip: network },
        status: { v4Ip: network, type: 'lrp', ready: true },
      });
      const { status } = recording.get('Subnet', 'external');
      status.v4usingIPs += 1;
      status.v4usingIPrange += `,${network}`;
      for (const [pod, key, type, external, logical] of [
        ['redis-0', 'eip', 'dnat_and_snat', '198.51.100.30', '10.17.0.19'],
        ['redis-1', 'snat', 'snat', '198.51.100.31', '10.17.0.23'],
      ] as const) {
        const { annotations } = recording.get('Pod', `shop/${pod}`).metadata;
        annotations[`ovn.kubernetes.io/${key}`] = external;
        nat(recording, 'ovn-cluster', { type, external_ip: external, logical_ip: logical });
        const match = `ip4.src == ${logical}`;
        policy(recording, 'ovn-cluster', { priority: 29250, match }, { subnet: 'apps' });
      }
    },
  ],
];

test.each(KEPT)('%s: nothing is said', async (_title, change) => {
  expect(await foundIn('clean', change)).toEqual([]);
});

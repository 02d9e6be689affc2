import { localEvidence } from './local-evidence';

type Strength = 0 | 1 | 2 | 3;
type Row = readonly [
  strength: Strength,
  name: string,
  ids: Record<string, string>,
  columns?: Record<string, unknown>,
];

const OVERLAY_ONLY = { isU2ORoutePolicy: 'true', isU2OOverlayOnlyRoutePolicy: 'true' };

/** Keys beside the tag, and how far the row proves itself Kube-OVN's; 0 stands for "unknown". */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  Logical_Switch: [
    [3, 'apps', {}],
    [2, 'ts1', {}],
    [2, 'ovn-external', {}],
    [0, 'apps', { team: 'x' }],
  ],
  Logical_Switch_Port: [
    [3, 'web-0.ns1', { ls: 'a', pod: 'ns1/web-0' }],
    [3, 'vm.ns1.lan.ns1.ovn.net1', { ls: 'a', pod: 'ns1/vm' }],
    [3, 'mcast-querier.a', { ls: 'a', pod: 'default/mcast-querier.a' }],
    [3, 'node-edge-1.dc2.example.net', { ls: 'join' }],
    [3, 'a-vip-10.0.0.9', { ls: 'a' }, { type: 'virtual', options: { 'virtual-ip': '10.0.0.9' } }],
    [2, 'vip.', { ls: 'a' }],
    [2, 'vip', { ls: 'a' }, { type: 'virtual', options: { 'virtual-ip': '10.0.0.9' } }],
    [2, 'a-vpc', { ls: 'a' }, { type: 'router', options: { 'router-port': 'vpc-a' } }],
    [2, 'localnet.a', { ls: 'a', ipv4_network: '10.0.0.0/24' }, { type: 'localnet' }],
    [0, 'web-0.ns1', { pod: 'ns1/web-0' }],
    [0, 'web-1.ns1', { ls: 'a', pod: 'ns1/web-0' }],
    [0, 'web-0.ns1.evil', { ls: 'a', pod: 'ns1/web-0' }],
    [0, 'bad-0.ns1.lan.ns1.ovn', { ls: 'a', pod: 'ns1/web-0' }],
    [0, 'web-0.ns1', { ls: 'a', pod: 'web-0' }],
    [0, 'a-vpc', { ls: 'a' }, { type: 'router', options: { 'router-port': 'other-a' } }],
    [0, 'uplink', { ls: 'a' }, { type: 'localnet' }],
    [0, 'p', { ls: 'a' }, { type: 'vtep' }],
    [0, 'web-0.ns1', { ls: 'a', pod: 'ns1/web-0', associated_sg_x: 'maybe' }],
  ],
  Logical_Router_Port: [
    [3, 'vpc-a', { lr: 'vpc' }],
    [3, 'bfd@vpc', { lr: 'vpc' }],
    [3, 'vpc-far', { lr: 'vpc' }, { peer: 'far-vpc' }],
    [2, 'az1-ts', { lr: 'ovn-cluster' }],
    [2, 'ovn-cluster-ovn-external', { lr: 'ovn-cluster' }],
    [2, 'vpc-a', {}],
    [0, 'vpc-far', { lr: 'vpc' }, { peer: 'edge-b' }],
  ],
  Logical_Router_Policy: [
    [3, '', { subnet: 'a' }, { priority: 31000, match: 'ip6.dst == fd00::/64' }],
    [
      3,
      '',
      { subnet: 'a', isU2ORoutePolicy: 'true' },
      { priority: 31000, match: 'ip4.dst == $a.u2o_exclude_ip.ip4 && ip4.src == 10.80.0.0/24' },
    ],
    [3, '', { subnet: 'a-b', node: 'n.1' }, { priority: 29000, match: 'ip6.src == $a.b.n.1_ip6' }],
    [
      3,
      '',
      { subnet: 'a', 'n.1': '100.64.0.3', n2: '100.64.0.4' },
      { priority: 29000, match: 'ip4.src == 10.0.0.0/24', nexthops: ['100.64.0.3', '100.64.0.4'] },
    ],
    [
      3,
      '',
      { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' },
      { priority: 29100, match: 'ip4.src == $VEG.3317aa3ff337_ip4' },
    ],
    [
      3,
      '',
      { node: 'n', 'address-family': '4', isLocalDnsCache: 'true' },
      { priority: 30000, match: 'ip4.src == $node.n_ip4 && ip4.dst == 169.254.25.10' },
    ],
    [
      3,
      '',
      { subnet: 'a-b', node: 'n.1', isU2ORoutePolicy: 'true', isU2ONoLBRoutePolicy: 'true' },
      { priority: 29400, match: 'ip4.src == $a.b.n.1_ip4 && ip4.dst == 10.96.0.0/12' },
    ],
    [
      3,
      '',
      {
        subnet: 'a',
        node: 'n',
        isU2ORoutePolicy: 'true',
        isU2ONoLBRoutePolicy: 'true',
        svcCidr: 'fd00:10:96::/112',
      },
      { priority: 29400, match: 'ip6.src == $a.n_ip6 && ip6.dst == fd00:10:96::/112' },
    ],
    [
      3,
      '',
      { subnet: 'a', ...OVERLAY_ONLY },
      { priority: 30060, match: 'ip4.src == 10.80.0.0/24 && ip4.dst == 10.80.0.0/24' },
    ],
    [
      3,
      '',
      { subnet: 'a', isU2ORoutePolicy: 'true' },
      { priority: 30050, match: 'ip4.src == 10.80.0.0/24' },
    ],
    [
      3,
      '',
      { subnet: 'a', ...OVERLAY_ONLY },
      {
        priority: 29400,
        match: 'ip4.src == $ovn.cluster.u2o_overlay_cidrs.ip4 && ip4.dst == 10.80.0.0/24',
      },
    ],
    [
      3,
      '',
      { subnet: 'a', ...OVERLAY_ONLY },
      { priority: 31000, match: 'ip4.dst == $a.u2o_exclude_ip.ip4 && ip4.src == 10.80.0.0/24' },
    ],
    [3, '', { origin: 'connected' }, { priority: 29500, match: 'ip4.dst == 10.1.0.0/16' }],
    [2, '', {}, { priority: 100, match: 'ip4' }],
    [2, '', { subnet: 'a' }, { priority: 31001, match: 'ip4.dst == 10.0.0.0/24' }],
    [2, '', { subnet: 'a' }, { priority: 28000, match: 'ip4.src == 10.0.0.0/24' }],
    [
      2,
      '',
      { subnet: 'a', node: 'n2', n1: '100.64.0.3' },
      { priority: 29000, match: 'ip4.src == 10.0.0.0/24', nexthops: ['100.64.0.3'] },
    ],
    [
      2,
      '',
      { node: 'n', 'address-family': '6' },
      { priority: 30000, match: 'ip4.dst == 10.0.0.1' },
    ],
    [
      2,
      '',
      { subnet: 'a', node: 'n2', isU2ORoutePolicy: 'true', isU2ONoLBRoutePolicy: 'true' },
      { priority: 29400, match: 'ip4.src == $a.n1_ip4 && ip4.dst == 10.96.0.0/12' },
    ],
    [
      2,
      '',
      { subnet: 'a', ...OVERLAY_ONLY },
      { priority: 30060, match: 'ip4.src == 10.80.0.0/24 && ip4.dst == 10.81.0.0/24' },
    ],
    [2, '', { subnet: 'a', node: 'n2' }, { priority: 29000, match: 'ip4.src == $a.n1_ip4' }],
    [
      2,
      '',
      { 'vpc-egress-gateway': 'tenant-b/veg-2', af: '4' },
      { priority: 29100, match: 'ip4.src == $VEG.3317aa3ff337_ip4' },
    ],
    [
      0,
      '',
      { subnet: 'a', n1: '100.64.0.3' },
      { priority: 29001, match: 'ip4.src == 10.0.0.0/24', nexthops: ['100.64.0.3'] },
    ],
    [
      0,
      '',
      { subnet: 'a', n1: 'yes' },
      { priority: 29000, match: 'ip4.src == 10.0.0.0/24', nexthops: ['yes'] },
    ],
  ],
  Port_Group: [
    [3, 'ovn.sg.sg.db', { type: 'security_group', sg: 'sg-db' }],
    [3, 'a.b.ns', { np: 'ns/a-b' }],
    [3, 'np1a.ns', { np: 'ns/1a' }],
    [3, 'node.n.1', { node: 'n-1', np: 'node/n-1' }],
    [3, 'a.n.1', { subnet: 'a', node: 'n.1', np: 'a/n.1' }],
    [3, 'a.n1', { lr: 'vpc', ls: 'a', u2o: 'true' }],
    [3, 'anp7', { anp: '7' }],
    [3, 'cluster', { cnp: 'cluster' }],
    [3, 'VEG.3317aa3ff337', { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' }],
    [3, 'ovn.sg.kubeovn_deny_all', { type: 'security_group', sg: 'kubeovn_deny_all' }],
    [0, 'ovn.sg.web', { sg: 'web' }],
    [0, 'web_sg', { type: 'security_group', sg: 'web' }],
    [0, 'fw', { type: 'firewall' }],
    [0, 'ovn.sg.db', { type: 'firewall', sg: 'db' }],
    [0, 'npa.ns', { np: 'ns/a' }],
    [0, 'a.ns', { np: 'ns/a/ingress' }],
    [0, 'node.n.1', { node: 'n-1', np: 'node/n-2' }],
    [0, 'ovn.sg.x', {}],
    [0, 'ovn.sg.other', { type: 'security_group', sg: 'kubeovn_deny_all' }],
  ],
  Address_Set: [
    [3, 'ovn.sg.sg.db.associated.v4', { sg: 'sg-db' }],
    [3, 'a.b.ns.ingress.allow.IPv4.0', { np: 'ns/a-b/ingress' }],
    [3, 'a.ns.egress.except.IPv6.all', { np: 'ns/a/egress' }],
    [3, 'pool.pay', { ippool: 'pool-pay' }],
    [3, 'a.u2o_exclude_ip.ip6', { subnet: 'a', isU2ORoutePolicy: 'true' }],
    [3, 'vpc.1.u2o_overlay_cidrs.ip4', { vpc: 'vpc-1', isU2OOverlayCIDRs: 'true' }],
    [3, 'VEG.3317aa3ff337.ipv4', { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' }],
    [3, 'VEG.3317aa3ff337_ip6', { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '6' }],
    [3, 'anp1.ingress.0.1.IPv4', { anp: '1/ingress' }],
    [0, 'VEG.3317aa3ff337_ip6', { 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' }],
    [0, 'web_sg_v4', { sg: 'web' }],
    [0, 'legacy_as', { np: 'ns/a/ingress' }],
    [0, 'a.ns.ingress.allow.IPv4.0', { np: 'ns/a/egress' }],
    [0, 'a.ns.ingress.allow.IPv4.0', { np: 'ns/a' }],
    [0, 'pool.pay', {}],
  ],
  ACL: [
    [3, '', { parent: 'pg' }],
    [3, '', { parent: 'a', subnet: 'a' }],
    [0, '', {}],
    [0, '', { parent: 'a', subnet: 'b' }],
  ],
  Load_Balancer: [
    [
      3,
      'cluster-udp-session-loadbalancer',
      { 'kube-ovn.io/local-external-vip/192.0.2.1:80': 'node-n1' },
      { protocol: 'udp', options: { affinity_timeout: '10800' } },
    ],
    [
      3,
      'vpc-a-b-sctp-sess-load',
      {},
      { protocol: ['sctp'], options: { prefer_local_backend: 'true' } },
    ],
    [2, 'odnat-1', {}, { protocol: 'tcp' }],
    [0, 'vpc-a-tcp-load', {}, { protocol: 'udp', options: { prefer_local_backend: 'true' } }],
    [0, 'vpc-a-tcp-load', {}, { protocol: 'tcp', options: { hairpin_snat_ip: '1.2.3.4' } }],
    [0, 'odnat-1', { 'kube-ovn.io/local-external-vip/192.0.2.1:80': 'n1' }],
  ],
  DHCP_Options: [
    [3, '', { ls: 'a', protocol: 'IPv4', port: 'web-0.ns1' }, { cidr: '10.0.0.0/24' }],
    [3, '', { ls: 'a', protocol: 'IPv6' }, { cidr: 'fd00::/64' }],
    [0, '', { ls: 'a', protocol: 'IPv6' }, { cidr: '10.0.0.0/24' }],
    [0, '', { protocol: 'IPv4' }, { cidr: '10.0.0.0/24' }],
  ],
  HA_Chassis_Group: [
    [3, 'bfd@vpc', { lrp: 'bfd@vpc' }],
    [0, 'bfd@vpc', { lrp: 'bfd@other' }],
    [0, 'group', { lrp: 'group' }],
  ],
  BFD: [
    [3, '', { 'vpc-nat-gateway': 'gw', af: '6' }, { logical_port: 'bfd@vpc', dst_ip: 'fd00::1' }],
    [0, '', { af: '4' }, { logical_port: 'bfd@vpc', dst_ip: '10.0.0.1' }],
    [0, '', { 'vpc-nat-gateway': 'gw', af: '6' }, { logical_port: 'bfd@vpc', dst_ip: '10.0.0.1' }],
  ],
  Meter: [
    [3, 'a.ns_from-lport_meter', {}],
    [0, 'mine', {}],
  ],
  NAT: [[0, '', {}]],
};

const cases = Object.entries(ROWS).flatMap(([table, rows]) =>
  rows.map(
    ([strength, name, ids, columns]) => [strength, table, name, ids, columns ?? {}] as const,
  ),
);

it.each(cases)('%d: %s %s %j %j', (strength, kind, name, ids, columns) => {
  const evidence = localEvidence({
    kind,
    uid: 'u',
    name,
    object: { ...columns, external_ids: { vendor: 'kube-ovn', ...ids } },
  });
  expect([evidence.owner, evidence.strength]).toEqual([
    strength === 0 ? 'unknown' : 'kube-ovn',
    strength,
  ]);
});

it.each(cases.filter(([, , , ids]) => Object.keys(ids).length > 0))(
  "is not Kube-OVN's without the tag: %d %s %s",
  (_, kind, name, ids, columns) => {
    const evidence = localEvidence({
      kind,
      uid: 'u',
      name,
      object: { ...columns, external_ids: ids },
    });
    expect(evidence.strength).toBeLessThan(2);
  },
);

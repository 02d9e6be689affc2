import type { EnforcedBed } from './enforced-bed';
import type { Mutation, Raw } from './mutate';

const FINALIZER = 'kubeovn.io/kube-ovn-controller';
const OWN = { vendor: 'kube-ovn' };

/**
 * One cause of a deletion that hangs, as it is found in the field, and the way in which it comes
 * free.
 */
export interface StuckCase {
  /** Where it is described: a section or row of kube-ovn.md. */
  readonly row: string;
  readonly title: string;
  /** As the command line names what is stuck. */
  readonly what: string;
  /** Where the objects are, once all is freed, that must be gone; what is stuck comes last. */
  readonly gone: readonly string[];
  readonly plant: (it: Mutation) => void;
  /** What the tree must say. */
  readonly output: readonly RegExp[];
  /** `<kind> <name>` of what the controller was notified of and has not finished yet. */
  readonly inHand?: readonly string[];
  /** What only a person can do, done by a person before anything is freed. */
  readonly person?: (it: Person) => Promise<void>;
  /** Actions of the executor, in any order. */
  readonly actions: readonly string[];
  /** What the tree must say after these, and what a person does then. */
  readonly afterwards?: {
    readonly output: readonly RegExp[];
    readonly person: (it: Person) => Promise<void>;
  };
}

/** Somebody with kubectl, who sees what Kube-OVN does. */
export interface Person {
  readonly api: EnforcedBed['api'];
  /** Waits until Kube-OVN has nothing more to do. */
  readonly settled: () => Promise<void>;
}

/** An object that is being deleted long ago. */
export const stuck = (
  recording: Mutation,
  kind: string,
  key: string,
  rest: Raw = {},
  finalizers: readonly string[] = [FINALIZER],
): Raw =>
  recording.add(kind, key, {
    ...rest,
    metadata: {
      deletionTimestamp: '2026-08-02T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      finalizers: [...finalizers],
      ...rest.metadata,
    },
  });

const subnet = (
  recording: Mutation,
  name: string,
  octet: number,
  over: Raw = {},
  spec: Raw = {},
): void => {
  stuck(recording, 'Subnet', name, {
    spec: {
      vpc: 'ovn-cluster',
      provider: 'ovn',
      protocol: 'IPv4',
      cidrBlock: `10.77.${octet}.0/24`,
      gateway: `10.77.${octet}.1`,
      ...spec,
    },
    status: { v4usingIPs: 1, v6usingIPs: 0, ...over },
  });
  recording.nb.insert('Logical_Switch', { name, external_ids: OWN });
};

const ipOf = (
  recording: Mutation,
  name: string,
  subnetName: string,
  address: string,
  metadata: Raw = {},
): Raw => {
  const [podName = '', namespace = ''] = name.split('.');
  return recording.add('IP', name, {
    metadata: {
      finalizers: [FINALIZER],
      labels: {
        [subnetName]: '',
        'ovn.kubernetes.io/subnet': subnetName,
        'ovn.kubernetes.io/ip_reserved': 'false',
      },
      ...metadata,
    },
    spec: {
      podName,
      namespace,
      subnet: subnetName,
      podType: '',
      ipAddress: address,
      v4IpAddress: address,
      v6IpAddress: '',
      macAddress: '0a:00:00:00:77:01',
      nodeName: '',
      attachSubnets: [],
      attachIps: [],
      attachMacs: [],
      containerID: '',
    },
  });
};
const going = { deletionTimestamp: '2026-08-02T00:00:00Z', deletionGracePeriodSeconds: 0 };
const CRD = '/apis/kubeovn.io/v1';
/** Makes Kube-OVN count a subnet again (kube-ovn.md §7.2). */
const throwAwayVip =
  (subnetName: string) =>
  async ({ api, settled }: Person): Promise<void> => {
    await api.send('POST', `${CRD}/vips`, {
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vip',
      metadata: { name: `${subnetName}-recount` },
      spec: { subnet: subnetName, namespace: 'default' },
    });
    await settled();
    await api.send('DELETE', `${CRD}/vips/${subnetName}-recount`);
  };
const eip = (recording: Mutation, name: string, address: string): Raw =>
  stuck(recording, 'OvnEip', name, {
    spec: { externalSubnet: 'external', v4Ip: address, type: 'nat' },
    status: { v4Ip: address, type: 'nat', ready: true, nat: '' },
  });

export const STUCK_CASES: readonly StuckCase[] = [
  {
    row: '§7.2, rows 34 and 39',
    title: 'a subnet in which an address is held by a pod that is gone',
    what: 'subnet/dr-leaked',
    gone: ['ips/gone-0.lost', 'subnets/dr-leaked'],
    actions: ['delete-ip'],
    plant: (recording) => {
      subnet(recording, 'dr-leaked', 1);
      ipOf(recording, 'gone-0.lost', 'dr-leaked', '10.77.1.9');
    },
    output: [/Subnet dr-leaked, terminating/, /IP gone-0\.lost, it is not being deleted/],
  },
  {
    row: 'row 64',
    title: 'a subnet that the Vip of its health checks holds',
    what: 'subnet/dr-checks',
    gone: ['vips/dr-checks', 'subnets/dr-checks'],
    actions: ['delete-vip'],
    plant: (recording) => {
      subnet(recording, 'dr-checks', 2);
      recording.add('Vip', 'dr-checks', {
        metadata: {
          finalizers: [FINALIZER],
          labels: { 'ovn.kubernetes.io/subnet': 'dr-checks', 'ovn.kubernetes.io/ip_reserved': '' },
        },
        spec: { subnet: 'dr-checks', type: '', namespace: '', v4ip: '10.77.2.9' },
        status: { v4ip: '10.77.2.9' },
      });
    },
    output: [/Vip dr-checks, it is not being deleted; .*health checks/],
  },
  {
    row: '§7.2',
    title: 'a subnet that its own multicast querier holds',
    what: 'subnet/dr-querier',
    gone: ['ips/mcast-querier.dr-querier', 'subnets/dr-querier'],
    actions: ['delete-ip'],
    plant: (recording) => {
      subnet(
        recording,
        'dr-querier',
        3,
        { mcastQuerierIP: '10.77.3.9' },
        { enableMulticastSnoop: true },
      );
      ipOf(recording, 'mcast-querier.dr-querier', 'dr-querier', '10.77.3.9');
    },
    output: [/mcast-querier\.dr-querier/],
    afterwards: {
      output: [
        /still counts 1 addresses/,
        /a person · create a Vip in Subnet dr-querier and delete it/,
      ],
      person: throwAwayVip('dr-querier'),
    },
  },
  {
    row: '§7.2, row 78',
    title: 'a subnet whose VLAN went first',
    what: 'subnet/dr-vlan',
    gone: ['subnets/dr-vlan'],
    actions: [],
    plant: (it) => subnet(it, 'dr-vlan', 4, { v4usingIPs: 0 }, { vlan: 'dr-vlan9' }),
    output: [/its Vlan dr-vlan9 no longer exists/, /a person · make Vlan dr-vlan9 again/],
    person: async ({ api }) =>
      void (await api.send('POST', `${CRD}/vlans`, {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Vlan',
        metadata: { name: 'dr-vlan9' },
        spec: { id: 9, provider: 'provider' },
      })),
  },
  {
    row: '§7.2',
    title: 'a subnet with an invalid CIDR of which nothing is left in OVN',
    what: 'subnet/dr-cidr',
    gone: ['subnets/dr-cidr'],
    actions: ['strip-finalizer'],
    plant: (recording) =>
      void stuck(recording, 'Subnet', 'dr-cidr', {
        spec: { vpc: 'ovn-cluster', provider: 'ovn', cidrBlock: '10.77.5.0/240' },
        status: { v4usingIPs: 0 },
      }),
    output: [/its CIDR 10\.77\.5\.0\/240 is invalid/],
  },
  {
    row: '§7.2',
    title: 'a subnet in which external addresses are held that are not being deleted',
    what: 'subnet/dr-external',
    gone: ['ovn-eips/dr-oeip', 'iptables-eips/dr-ieip2', 'subnets/dr-external'],
    actions: [],
    plant: (recording) => {
      subnet(recording, 'dr-external', 13, { v4usingIPs: 2 });
      const labels = { 'ovn.kubernetes.io/subnet': 'dr-external' };
      recording.add('OvnEip', 'dr-oeip', {
        metadata: { finalizers: [FINALIZER], labels },
        spec: { externalSubnet: 'dr-external', v4Ip: '10.77.13.9', type: 'nat' },
        status: { v4Ip: '10.77.13.9', type: 'nat', ready: true },
      });
      recording.add('IptablesEIP', 'dr-ieip2', {
        metadata: { finalizers: [FINALIZER], labels },
        spec: { externalSubnet: 'dr-external', natGwDp: 'gw-a', v4ip: '10.77.13.10' },
        status: { ip: '10.77.13.10', ready: true },
      });
    },
    output: [
      /OvnEip dr-oeip, it is not being deleted/,
      /IptablesEIP dr-ieip2, it is not being deleted/,
      /a person · /,
    ],
    person: async ({ api }) => {
      for (const it of ['ovn-eips/dr-oeip', 'iptables-eips/dr-ieip2'])
        await api.send('DELETE', `${CRD}/${it}`);
    },
  },
  {
    row: '§7.2, §6.5',
    title: 'a subnet that counts one address twice, both records of which are going',
    what: 'subnet/dr-twice',
    gone: ['ips/vpc-nat-gw-dr-twice-0.kube-system', 'iptables-eips/dr-twice', 'subnets/dr-twice'],
    actions: [],
    plant: (recording) => {
      subnet(recording, 'dr-twice', 14, { v4usingIPs: 2 });
      recording.add('VpcNatGateway', 'dr-twice', {
        spec: { vpc: 'tenant-a-vpc', subnet: 'ta-web', replicas: 1 },
      });
      ipOf(recording, 'vpc-nat-gw-dr-twice-0.kube-system', 'dr-twice', '10.77.14.9', {
        ...going,
        finalizers: [FINALIZER],
      });
      stuck(recording, 'IptablesEIP', 'dr-twice', {
        metadata: { labels: { 'ovn.kubernetes.io/subnet': 'dr-twice' } },
        spec: { externalSubnet: 'dr-twice', natGwDp: 'dr-twice', v4ip: '10.77.14.9' },
        status: { ip: '10.77.14.9', ready: true },
      });
    },
    output: [
      /IP vpc-nat-gw-dr-twice-0\.kube-system, terminating/,
      /IptablesEIP dr-twice, terminating/,
      /a person · bring pod kube-system\/vpc-nat-gw-dr-twice-0 up/,
    ],
    inHand: ['IP vpc-nat-gw-dr-twice-0.kube-system', 'IptablesEIP dr-twice'],
    person: async ({ api }) =>
      void (await api.send('POST', '/api/v1/namespaces/kube-system/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'vpc-nat-gw-dr-twice-0' },
        spec: { containers: [{ name: 'main', image: 'registry.example/gateway:1.0' }] },
      })),
  },
  {
    row: '§7.2, rows 37 and 39',
    title: 'a subnet that counts an address nobody holds',
    what: 'subnet/dr-count',
    gone: ['subnets/dr-count'],
    actions: [],
    plant: (it) => subnet(it, 'dr-count', 6),
    output: [
      /still counts 1 addresses/,
      /a person · create a Vip in Subnet dr-count and delete it\n {7}echo '.*' \| kubectl create -f - && sleep 5 && kubectl delete vips\.kubeovn\.io recount-dr-count\n/,
    ],
    person: throwAwayVip('dr-count'),
  },
  {
    row: 'row 35',
    title: 'an address whose controller dropped the deletion',
    what: 'ip/dr-dropped.shop',
    gone: ['ips/dr-dropped.shop'],
    actions: ['strip-finalizer'],
    plant: (it) =>
      void ipOf(it, 'dr-dropped.shop', 'apps', '10.77.7.9', { ...going, finalizers: [FINALIZER] }),
    output: [/waits for nothing that can be seen/],
  },
  {
    row: 'row 34',
    title: 'an address whose subnet went first, with the finalizer of an old release',
    what: 'ip/dr-late.shop',
    gone: ['ips/dr-late.shop'],
    actions: ['strip-finalizer'],
    plant: (recording) =>
      void ipOf(recording, 'dr-late.shop', 'dr-no-such', '10.77.8.9', {
        ...going,
        finalizers: ['kube-ovn-controller'],
      }),
    output: [/its Subnet dr-no-such no longer exists/],
  },
  {
    row: '§7.3, rows 41 and 43',
    title: 'a floating IP, a SNAT rule and their address, whose VPC went first',
    what: 'oeip/dr-eip',
    gone: ['ovn-fips/dr-fip', 'ovn-snat-rules/dr-snat', 'ovn-eips/dr-eip'],
    actions: ['strip-finalizer', 'strip-finalizer', 'strip-finalizer'],
    plant: (recording) => {
      eip(recording, 'dr-eip', '198.51.100.77');
      stuck(recording, 'OvnFip', 'dr-fip', {
        spec: { ovnEip: 'dr-eip', ipName: 'x' },
        status: { vpc: 'dr-lost-vpc', v4Eip: '198.51.100.77', v4Ip: '10.77.9.5', ready: true },
      });
      stuck(recording, 'OvnSnatRule', 'dr-snat', {
        spec: { ovnEip: 'dr-eip' },
        status: {
          vpc: 'dr-lost-vpc',
          v4Eip: '198.51.100.77',
          v4IpCidr: '10.77.9.0/24',
          ready: true,
        },
      });
    },
    output: [/OvnFip dr-fip, terminating/, /Vpc dr-lost-vpc no longer exists/],
  },
  {
    row: 'row 57',
    title: 'a DNAT rule whose load balancer is gone, and its address',
    what: 'oeip/dr-eip2',
    gone: ['ovn-dnat-rules/dr-dnat', 'ovn-eips/dr-eip2'],
    actions: ['strip-finalizer', 'strip-finalizer'],
    plant: (recording) => {
      eip(recording, 'dr-eip2', '198.51.100.78');
      stuck(recording, 'OvnDnatRule', 'dr-dnat', {
        spec: { ovnEip: 'dr-eip2', externalPort: '80', internalPort: '80' },
        status: { vpc: 'tenant-b-vpc', v4Eip: '198.51.100.78', ready: true },
      });
    },
    output: [/there is no load balancer dr-dnat/],
  },
  {
    row: 'row 58',
    title: 'addresses and rules of a NAT gateway that has no pod, freed by deleting the gateway',
    what: 'eip/dr-ieip',
    gone: [
      'iptables-fip-rules/dr-ifip',
      'iptables-dnat-rules/dr-idnat',
      'iptables-snat-rules/dr-isnat',
      'iptables-eips/dr-ieip',
    ],
    actions: ['strip-finalizer', 'strip-finalizer', 'strip-finalizer', 'strip-finalizer'],
    plant: (recording) => {
      recording.add('VpcNatGateway', 'dr-gw', {
        spec: { vpc: 'tenant-a-vpc', subnet: 'ta-web', replicas: 1 },
      });
      stuck(recording, 'IptablesEIP', 'dr-ieip', {
        spec: {
          natGwDp: 'dr-gw',
          v4ip: '203.0.113.77',
          externalSubnet: 'ovn-vpc-external-network',
        },
        status: { ip: '203.0.113.77', ready: false },
      });
      stuck(
        recording,
        'IptablesFIPRule',
        'dr-ifip',
        {
          spec: { eip: 'dr-ieip', internalIp: '10.77.10.5' },
          status: { natGwDp: 'dr-gw', ready: false },
        },
        ['ovn.kubernetes.io/fip'],
      );
      stuck(recording, 'IptablesDnatRule', 'dr-idnat', {
        spec: {
          eip: 'dr-ieip',
          externalPort: '80',
          internalPort: '80',
          internalIp: '10.77.10.5',
          protocol: 'tcp',
        },
        status: { natGwDp: 'dr-gw' },
      });
      stuck(recording, 'IptablesSnatRule', 'dr-isnat', {
        spec: { eip: 'dr-ieip', internalCIDR: '10.77.10.0/24' },
        status: { natGwDp: 'dr-gw' },
      });
    },
    output: [
      /gateway dr-gw has no pod vpc-nat-gw-dr-gw-0/,
      /a person · bring pod .* or delete VpcNatGateway dr-gw/,
    ],
    person: async ({ api }) => void (await api.send('DELETE', `${CRD}/vpc-nat-gateways/dr-gw`)),
  },
  {
    row: '§7.3',
    title: 'a VPC whose subnet waits for an address',
    what: 'vpc/dr-vpc',
    gone: ['ips/left-0.lost', 'subnets/dr-child', 'vpcs/dr-vpc'],
    actions: ['delete-ip'],
    plant: (recording) => {
      stuck(recording, 'Vpc', 'dr-vpc', { spec: {}, status: { subnets: ['dr-child'] } });
      recording.nb.insert('Logical_Router', { name: 'dr-vpc', external_ids: OWN });
      subnet(recording, 'dr-child', 11, {}, { vpc: 'dr-vpc' });
      ipOf(recording, 'left-0.lost', 'dr-child', '10.77.11.9');
    },
    output: [/Vpc dr-vpc, terminating[\s\S]*Subnet dr-child, terminating[\s\S]*IP left-0\.lost/],
  },
  {
    row: '§7.3',
    title: 'an egress gateway whose VPC went first, with an address set left',
    what: 'veg/tenant-b/dr-veg',
    gone: ['namespaces/tenant-b/vpc-egress-gateways/dr-veg'],
    actions: ['delete-address-set', 'strip-finalizer'],
    plant: (recording) => {
      stuck(recording, 'VpcEgressGateway', 'tenant-b/dr-veg', {
        spec: { vpc: 'dr-lost-vpc', replicas: 1, externalSubnet: 'external' },
      });
      recording.nb.insert('Address_Set', {
        name: 'VEG.48f9da73981d_ip4',
        external_ids: { ...OWN, af: '4', 'vpc-egress-gateway': 'tenant-b/dr-veg' },
      });
    },
    output: [/Vpc dr-lost-vpc no longer exists/, /Address_Set VEG\.[0-9a-f]+_ip4, still in OVN/],
  },
  {
    row: '§7.4, row 40',
    title: 'a Vip, a pool, a QoS policy and a NAT gateway of which nothing is left',
    what: 'vip/dr-vip',
    gone: ['vips/dr-vip'],
    actions: ['strip-finalizer'],
    plant: (recording) =>
      void stuck(recording, 'Vip', 'dr-vip', {
        spec: { subnet: 'apps', type: '', namespace: '', v4ip: '10.77.12.9' },
        status: { v4ip: '10.77.12.9' },
      }),
    output: [/Vip dr-vip, terminating/],
  },
  {
    row: 'row 40',
    title: 'a pool of which nothing is left',
    what: 'ippool/dr-pool',
    gone: ['ippools/dr-pool'],
    actions: ['strip-finalizer'],
    plant: (recording) =>
      void stuck(recording, 'IPPool', 'dr-pool', {
        spec: { subnet: 'apps' },
        status: { v4UsingIPs: 0, v6UsingIPs: 0 },
      }),
    output: [/IPPool dr-pool, terminating/],
  },
  {
    row: 'row 40',
    title: 'a QoS policy that nobody uses',
    what: 'qos/dr-qos',
    gone: ['qos-policies/dr-qos'],
    actions: ['strip-finalizer'],
    plant: (it) =>
      void stuck(it, 'QoSPolicy', 'dr-qos', { spec: { shared: false, bindingType: 'EIP' } }),
    output: [/QoSPolicy dr-qos, terminating/],
  },
  {
    row: 'row 40',
    title: 'a NAT gateway that does not run',
    what: 'vpc-nat-gw/dr-gone',
    gone: ['vpc-nat-gateways/dr-gone'],
    actions: ['strip-finalizer'],
    plant: (recording) =>
      void stuck(recording, 'VpcNatGateway', 'dr-gone', {
        spec: { vpc: 'tenant-a-vpc', subnet: 'ta-web' },
      }),
    output: [/VpcNatGateway dr-gone, terminating/],
  },
];

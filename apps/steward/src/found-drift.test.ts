import type { Mutation, Raw } from './testing/mutate';
import { deletePod, foundIn, ownIp, ownPort, pod } from './testing/scenario';
import type { Change } from './testing/scenario';

const GOING = '2026-08-22T00:00:00Z';
const going = (
  recording: Mutation,
  kind: string,
  key: string,
  finalizers: string[] = ['kubeovn.io/kube-ovn-controller'],
): Raw =>
  Object.assign(recording.get(kind, key).metadata, { deletionTimestamp: GOING, finalizers });
const using = (recording: Mutation, subnet: string, v4: unknown, v6?: unknown): void => {
  Object.assign(recording.get('Subnet', subnet).status, {
    v4usingIPs: v4,
    ...(v6 === undefined ? {} : { v6usingIPs: v6 }),
  });
};
const move = (recording: Mutation, key: string, subnet: string): void => {
  recording.get('Pod', key).metadata.annotations['ovn.kubernetes.io/logical_switch'] = subnet;
};
const owned = (
  recording: Mutation,
  pod: string,
  kind: string,
  name: string,
  template: Raw = {},
): void => {
  const namespace = pod.split('/')[0]!;
  recording.get('Pod', pod).metadata.ownerReferences = [
    { apiVersion: 'x/v1', kind, name, uid: 'u', controller: true },
  ];
  recording.add(kind, `${namespace}/${name}`, { spec: { template: { metadata: template } } });
};
const held = (recording: Mutation, subnet: string, gate = 'ovn-steward.dev/subnet-ready'): void => {
  Object.assign((recording.get('Namespace', 'shop').metadata.labels ??= {}), {
    'ovn-steward.dev/subnet': subnet,
  });
  pod(
    recording,
    'shop/held-0',
    { phase: 'Pending' },
    {
      metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': subnet } },
      spec: { schedulingGates: [{ name: gate }] },
    },
  );
};
const PORT = 'ovn.kubernetes.io/allocated';

/**
 * Faults that nobody may remove anything for, each on top of the healthy recording, and all that
 * must be said.
 */
const FAULTS: readonly (readonly [title: string, change: Change, expected: readonly string[]])[] = [
  [
    'an address on two ports',
    (recording) => {
      ownPort(recording, 'vip-x.shop', 'apps', undefined, {
        columns: {
          addresses: [
            String(
              (recording.nb.row('Logical_Switch_Port', 'redis-0.shop')['addresses'] as string[])[0],
            ),
          ],
        },
      });
    },
    ['duplicate-port-address vip-x.shop[10.17.0.19]'],
  ],
  ['a count too high', (it) => using(it, 'data', 9), ['subnet-usage-drift data']],
  [
    'a count too low, as text with a fraction',
    (it) => using(it, 'data', '3.0'),
    ['subnet-usage-drift data'],
  ],
  ['a right count, as text', (it) => using(it, 'data', '4'), []],
  [
    'a right count of one family only',
    (recording) => {
      recording.get('Subnet', 'ta-db').spec.protocol = 'IPv6';
      using(recording, 'ta-db', 0, 3);
    },
    [],
  ],
  [
    'a wrong count of one family only',
    (recording) => {
      recording.get('Subnet', 'ta-db').spec.protocol = 'IPv6';
      using(recording, 'ta-db', 0, 2);
    },
    ['subnet-usage-drift ta-db'],
  ],
  ['a wrong count of two families', (it) => using(it, 'ta-db', 6, 6), ['subnet-usage-drift ta-db']],
  [
    'an excluded address that a pod holds, which is not counted',
    (recording) => {
      recording.get('Subnet', 'data').spec.excludeIps.push('172.20.0.2..172.20.0.3');
      using(recording, 'data', 2);
    },
    [],
  ],
  [
    'an excluded address that an OvnEip holds, which is counted',
    (recording) => {
      recording.get('Subnet', 'external').spec.excludeIps.push('198.51.100.11');
    },
    [],
  ],
  [
    'an excluded address that a Vip holds, which is counted',
    (recording) => {
      recording.get('Subnet', 'apps').spec.excludeIps.push('10.17.0.30');
    },
    [],
  ],
  [
    'an address with two objects',
    (recording) => {
      const { v4ip } = recording.get('Vip', 'vip-free').spec;
      const ip = ownIp(recording, 'redis-9.shop', 'apps', {
        namespace: 'shop',
        podName: 'redis-0',
        podType: 'StatefulSet',
        ipAddress: v4ip,
        v4IpAddress: v4ip,
      });
      expect(ip.spec.v4IpAddress).toBe('10.17.0.30');
    },
    ['duplicate-address-record redis-9.shop[10.17.0.30]'],
  ],
  [
    "a Vip that Kube-OVN's memory has lost",
    (recording) => {
      recording.get('Subnet', 'tb-net').status.v4usingIPrange = '10.60.0.2-10.60.0.5,10.60.0.200';
    },
    ['address-not-in-ipam tb-net[10.60.0.6]'],
  ],
  [
    'an external address that it has lost',
    (recording) => {
      recording.get('Subnet', 'external').status.v4usingIPrange =
        '198.51.100.10,198.51.100.12-198.51.100.14';
    },
    ['address-not-in-ipam external[198.51.100.11]'],
  ],
  [
    'an external address that it has lost, and is excluded',
    (recording) => {
      const { spec, status } = recording.get('Subnet', 'external');
      spec.excludeIps.push('198.51.100.11');
      status.v4usingIPrange = '198.51.100.10,198.51.100.12-198.51.100.14';
    },
    [],
  ],
  [
    "an address that only Kube-OVN's memory has in use",
    (recording) => {
      recording.get('Subnet', 'data').status.v4usingIPrange = '172.20.0.2-172.20.0.6';
    },
    ['address-only-in-ipam data[v4usingIPrange]'],
  ],
  [
    'a pod without the record of its address',
    (recording) => {
      recording.remove('IP', 'redis-0.shop');
      using(recording, 'apps', 29);
      recording.get('Subnet', 'apps').status.v4usingIPrange =
        '10.17.0.2-10.17.0.18,10.17.0.20-10.17.0.30,10.17.0.240';
    },
    [`missing-ip shop/redis-0[${PORT}]`],
  ],
  [
    'another SwitchLBRule of the VPC took the entries of the backends',
    (recording) => {
      recording.nb.row('Load_Balancer', 'vpc-tenant-b-vpc-tcp-load')['ip_port_mappings'] = {};
    },
    ['missing-ip-port-mapping 771c8931-247f-4267-b2ec-2220b7a6029d'],
  ],
  [
    'a Subnet whose addresses are held',
    (recording) => {
      going(recording, 'Subnet', 'tb-net');
    },
    ['stuck-subnet-deletion tb-net'],
  ],
  [
    'a Subnet whose Vlan is gone',
    (recording) => {
      going(recording, 'Subnet', 'pc-net');
      recording.get('Subnet', 'pc-net').spec.vlan = 'gone';
    },
    ['stuck-subnet-deletion pc-net'],
  ],
  [
    'a Subnet whose CIDR is invalid',
    (recording) => {
      going(recording, 'Subnet', 'pc-net');
      recording.get('Subnet', 'pc-net').spec.cidrBlock = '10.70.0.0/244';
    },
    ['stuck-subnet-deletion pc-net'],
  ],
  [
    'a Subnet that is counted wrong',
    (recording) => {
      going(recording, 'Subnet', 'pc-net');
      using(recording, 'pc-net', 1);
    },
    ['stuck-subnet-deletion pc-net', 'subnet-usage-drift pc-net'],
  ],
  [
    'a Subnet nobody holds',
    (recording) => {
      going(recording, 'Subnet', 'pc-net');
    },
    ['stuck-subnet-deletion pc-net'],
  ],
  [
    'a Vpc with a Subnet',
    (recording) => {
      going(recording, 'Vpc', 'tenant-a-vpc');
    },
    ['stuck-vpc-deletion tenant-a-vpc'],
  ],
  [
    'an IP object',
    (recording) => {
      going(recording, 'IP', 'redis-0.shop');
    },
    [`missing-ip shop/redis-0[${PORT}]`, 'stuck-ip-deletion redis-0.shop'],
  ],
  [
    'an OvnEip in use',
    (recording) => {
      going(recording, 'OvnEip', 'oeip-b1');
    },
    ['stuck-ovn-eip-deletion oeip-b1'],
  ],
  [
    'an OvnEip with an abandoned finalizer',
    (recording) => {
      going(recording, 'OvnEip', 'worker-1', ['ovn.kubernetes.io/fip']);
    },
    ['stuck-ovn-eip-deletion worker-1'],
  ],
  [
    "an IptablesEIP without its gateway's pod",
    (recording) => {
      deletePod(recording, 'kube-system/vpc-nat-gw-gw-a-0');
      going(recording, 'IptablesEIP', 'eip-a1');
    },
    ['stuck-iptables-eip-deletion eip-a1'],
  ],
  [
    'an object that goes at once',
    (recording) => {
      going(recording, 'OvnEip', 'oeip-b1', []);
    },
    [],
  ],
  [
    'a pod without its port',
    (recording) => {
      recording.nb.drop(recording.nb.row('Logical_Switch_Port', 'redis-0.shop'));
    },
    [`missing-logical-switch-port shop/redis-0[${PORT}]`],
  ],
  [
    'an attachment without its port',
    (recording) => {
      recording.nb.drop(
        recording.nb.row('Logical_Switch_Port', 'catalog-rdz4qzkws9-496jv.shop.data-net.shop.ovn'),
      );
    },
    [
      'missing-logical-switch-port shop/catalog-rdz4qzkws9-496jv[data-net.shop.ovn.kubernetes.io/allocated]',
    ],
  ],
  [
    'a machine without its port',
    (recording) => {
      recording.nb.drop(recording.nb.row('Logical_Switch_Port', 'vm-multi.vms.vm-lan.vms.ovn'));
    },
    [
      'missing-logical-switch-port vms/virt-launcher-vm-multi-wsjxr[vm-lan.vms.ovn.kubernetes.io/allocated]',
    ],
  ],
  [
    'a machine whose default network is an attachment, without its port',
    (recording) => {
      recording.nb.drop(recording.nb.row('Logical_Switch_Port', 'vm-mainnet.vms.vm-main.vms.ovn'));
    },
    [
      'missing-logical-switch-port vms/virt-launcher-vm-mainnet-lwxd7[vm-main.vms.ovn.kubernetes.io/allocated]',
    ],
  ],
  [
    'a halted machine without its port',
    (recording) => {
      recording.nb.drop(recording.nb.row('Logical_Switch_Port', 'vm-stopped.vms'));
    },
    [],
  ],
  [
    'a completed, an evicted and a terminating pod without ports',
    (recording) => {
      for (const i of [0, 1, 2])
        recording.nb.drop(recording.nb.row('Logical_Switch_Port', `redis-${i}.shop`));
      recording.get('Pod', 'shop/redis-0').status = { phase: 'Succeeded' };
      recording.get('Pod', 'shop/redis-1').status = { phase: 'Failed', reason: 'Evicted' };
      recording.get('Pod', 'shop/redis-2').metadata.deletionTimestamp = GOING;
    },
    [],
  ],
  [
    'a pod that Kube-OVN has not connected yet',
    (recording) => {
      recording.nb.drop(recording.nb.row('Logical_Switch_Port', 'redis-0.shop'));
      delete recording.get('Pod', 'shop/redis-0').metadata.annotations[PORT];
    },
    [],
  ],
  ...(['ReplicaSet', 'StatefulSet', 'DaemonSet'] as const).map(
    (kind) =>
      [
        `a pod of a ${kind} in the default subnet`,
        (recording: Mutation) => {
          owned(recording, 'shop/redis-0', kind, 'owner');
          move(recording, 'shop/redis-0', 'ovn-default');
        },
        ['misplaced-pod shop/redis-0'],
      ] as const,
  ),
  [
    "a machine's pod in another subnet",
    (recording) => {
      move(recording, 'vms/virt-launcher-vm-web-27h4j', 'vm-lan');
    },
    ['misplaced-pod vms/virt-launcher-vm-web-27h4j'],
  ],
  [
    'a pod that asks for its subnet',
    (recording) => {
      owned(recording, 'shop/redis-0', 'StatefulSet', 'owner', {
        annotations: { 'ovn.kubernetes.io/logical_switch': 'ovn-default' },
      });
      move(recording, 'shop/redis-0', 'ovn-default');
    },
    [],
  ],
  [
    'a pod that is held for a subnet that is not there',
    (it) => held(it, 'late'),
    ['held-pod shop/held-0'],
  ],
  [
    'a pod that is held though its subnet is ready',
    (it) => held(it, 'apps'),
    ['held-pod shop/held-0'],
  ],
  ['a pod that somebody else holds', (it) => held(it, 'late', 'example.com/quota'), []],
  [
    'an underlay that became an overlay, with its uplink',
    (recording) => {
      recording.get('Subnet', 'external').spec.vlan = '';
    },
    ['subnet-without-router-port external', 'uplink-of-former-vlan external'],
  ],
  [
    'a pool that its namespace has left',
    (recording) => {
      recording.get('IPPool', 'pool-pay').spec.namespaces = [];
    },
    ['namespace-names-former-network payments[pool-pay]'],
  ],
  [
    'a pod of a namespace of two subnets',
    (recording) => {
      recording.get('Namespace', 'shop').metadata.annotations['ovn.kubernetes.io/logical_switch'] =
        'apps,data';
      move(recording, 'shop/redis-0', 'data');
    },
    [],
  ],
];

test.each(FAULTS)('%s', async (_title, change, expected) => {
  expect(await foundIn('clean', change)).toEqual([...expected].sort());
});

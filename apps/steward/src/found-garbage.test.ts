import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import { auditOf, type Mutation } from './testing/mutate';
import { deletePod, foundIn, ownIp, ownPort, portAndIp } from './testing/scenario';
import type { Change } from './testing/scenario';

const byKeys = (recording: Mutation, table: string, keys: Record<string, string>) =>
  recording.nb
    .rows(table)
    .filter((row) =>
      Object.entries(keys).every(
        ([key, value]) => (row['external_ids'] as Record<string, string>)[key] === value,
      ),
    );
const insert = (
  { nb }: Mutation,
  table: string,
  name: string,
  ids: object,
  columns: object = {},
): string => nb.insert(table, { name, external_ids: { ...VENDOR, ...ids }, ...columns });
const down = (recording: Mutation, name: string): void => {
  recording.nb.row('Logical_Switch_Port', name)['up'] = [false];
};
const vip = (recording: Mutation, balancer: string, entry: string): void => {
  (recording.nb.row('Load_Balancer', balancer)['vips'] as Record<string, string>)[entry] =
    '10.17.0.10:8080';
};
const OUTSIDE = 'ovn-vpc-external-network.kube-system';

/**
 * Faults, each on top of the healthy recording, and what must be said. Drift and other consequences
 * are left out where they follow.
 */
const FAULTS: readonly (readonly [title: string, change: Change, expected: readonly string[]])[] = [
  [
    'a pod is gone',
    (it) => deletePod(it, 'shop/cart-t9rwgwf9kf-4z97p'),
    ['leaked-ip cart-t9rwgwf9kf-4z97p.shop'],
  ],
  [
    'a pod with an attachment is gone',
    (it) => deletePod(it, 'shop/catalog-rdz4qzkws9-496jv'),
    ['', '.data-net.shop.ovn'].map((it) => `leaked-ip catalog-rdz4qzkws9-496jv.shop${it}`),
  ],
  [
    'a pod with an interface by name is gone',
    (it) => portAndIp(it, 'shop/twice', 'data', '', '.data-net.shop.ovn.net1'),
    ['leaked-ip twice.shop.data-net.shop.ovn.net1'],
  ],
  [
    'a pod with an interface without a port is gone',
    (it) => deletePod(it, 'infra/minio-fts776qth4-hfm55'),
    [
      'leaked-ip minio-fts776qth4-hfm55.infra',
      'leaked-ip minio-fts776qth4-hfm55.infra.storage.infra',
    ],
  ],
  [
    'a pod of two families is gone with its set',
    (recording) => {
      for (const i of [0, 1, 2]) deletePod(recording, `tenant-a/db-${i}`);
      recording.remove('StatefulSet', 'tenant-a/db');
    },
    [0, 1, 2].map((i) => `leaked-ip db-${i}.tenant-a`),
  ],
  [
    'a port without its IP object',
    (recording) => {
      ownPort(recording, 'lost.shop', 'apps', 'shop/lost');
    },
    ['orphaned-logical-switch-port lost.shop'],
  ],
  [
    'an IP object without its port',
    (recording) => {
      ownIp(recording, 'lost.shop', 'apps', { namespace: 'shop', podName: 'lost' });
    },
    ['leaked-ip lost.shop'],
  ],
  [
    'a set is scaled down',
    (recording) => {
      deletePod(recording, 'payments/pg-2');
      recording.get('StatefulSet', 'payments/pg').spec.replicas = 2;
    },
    ['leaked-ip pg-2.payments'],
  ],
  [
    'a set starts later',
    (recording) => {
      deletePod(recording, 'payments/pg-0');
      recording.get('StatefulSet', 'payments/pg').spec.ordinals = { start: 1 };
    },
    ['leaked-ip pg-0.payments'],
  ],
  [
    'a machine is gone',
    (recording) => {
      deletePod(recording, 'vms/virt-launcher-vm-multi-wsjxr');
      recording.remove('VirtualMachine', 'vms/vm-multi');
      recording.remove('VirtualMachineInstance', 'vms/vm-multi');
    },
    ['', '.vm-lan.vms.ovn'].map((it) => `leaked-ip vm-multi.vms${it}`),
  ],
  [
    'a halted machine is gone',
    (recording) => {
      recording.remove('VirtualMachine', 'vms/vm-stopped-main');
    },
    ['leaked-ip vm-stopped-main.vms.vm-main.vms.ovn'],
  ],
  [
    'a bare instance is gone',
    (it) => portAndIp(it, 'vms/bare', 'ovn-default', 'VirtualMachine'),
    ['leaked-ip bare.vms'],
  ],
  [
    'a launcher that kept no address is gone',
    (it) => portAndIp(it, 'vms/virt-launcher-x-abcde', 'ovn-default', 'VirtualMachine'),
    ['leaked-ip virt-launcher-x-abcde.vms'],
  ],
  [
    'a NAT gateway is gone',
    (recording) => {
      deletePod(recording, 'kube-system/vpc-nat-gw-gw-a-0');
      recording.remove('StatefulSet', 'kube-system/vpc-nat-gw-gw-a');
      recording.remove('VpcNatGateway', 'gw-a');
      ownIp(recording, `vpc-nat-gw-gw-a-0.kube-system.${OUTSIDE}`, 'ovn-vpc-external-network', {
        namespace: 'kube-system',
        podName: 'vpc-nat-gw-gw-a-0',
        podType: 'StatefulSet',
      });
    },
    [
      'leaked-ip vpc-nat-gw-gw-a-0.kube-system',
      `leaked-ip vpc-nat-gw-gw-a-0.kube-system.${OUTSIDE}`,
    ],
  ],
  ...(['worker-9', 'w-9.dc2.example.net'] as const).map(
    (node) =>
      [
        `node ${node} is gone`,
        (recording: Mutation) => {
          ownPort(recording, `node-${node}`, 'join');
          ownIp(
            recording,
            `node-${node}`,
            'join',
            { podName: node, nodeName: node },
            { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node, uid: 'gone' }] },
          );
          const flat = node.replaceAll('-', '.');
          insert(recording, 'Port_Group', `node.${flat}`, { node, np: `node/${node}` });
          insert(recording, 'Port_Group', `apps.${flat}`, {
            node,
            subnet: 'apps',
            np: `apps/${node}`,
          });
        },
        [
          `leaked-ip node-${node}`,
          `orphaned-port-group apps.${node.replaceAll('-', '.')}`,
          `orphaned-port-group node.${node.replaceAll('-', '.')}`,
        ],
      ] as const,
  ),
  [
    'a security group is gone',
    (recording) => {
      recording.remove('SecurityGroup', 'sg-db');
      recording.add('SecurityGroup', 'other');
      insert(recording, 'Address_Set', 'ovn.sg.other.associated.v4', { sg: 'other' });
    },
    [
      'orphaned-address-set ovn.sg.sg.db.associated.v4',
      'orphaned-address-set ovn.sg.sg.db.associated.v6',
      'orphaned-port-group ovn.sg.sg.db',
    ],
  ],
  [
    'a policy is gone',
    (recording) => {
      recording.remove('NetworkPolicy', 'shop/allow-frontend');
    },
    [
      'orphaned-address-set allow.frontend.shop.ingress.allow.IPv4.0',
      'orphaned-address-set allow.frontend.shop.ingress.except.IPv4.0',
      'orphaned-port-group allow.frontend.shop',
    ],
  ],
  [
    'a policy whose name begins with a digit is gone',
    (recording) => {
      insert(recording, 'Port_Group', 'np1.deny.shop', { np: 'shop/np1-deny' });
      insert(recording, 'Address_Set', 'np1.deny.shop.ingress.allow.IPv4.all', {
        np: 'shop/np1-deny/ingress',
      });
    },
    [
      'orphaned-address-set np1.deny.shop.ingress.allow.IPv4.all',
      'orphaned-port-group np1.deny.shop',
    ],
  ],
  [
    'a pool is gone',
    (recording) => {
      recording.remove('IPPool', 'pool-pay');
      recording.add('IPPool', 'other');
      insert(recording, 'Address_Set', 'pool.other', { ippool: 'other' });
    },
    ['orphaned-address-set pool.pay'],
  ],
  [
    'an egress gateway is gone',
    (recording) => {
      recording.remove('VpcEgressGateway', 'tenant-b/veg-1');
      recording.remove('Deployment', 'tenant-b/veg-1');
      recording.add('VpcEgressGateway', 'tenant-b/other');
      insert(recording, 'Address_Set', 'VEG.0123456789ab.ipv4', {
        'vpc-egress-gateway': 'tenant-b/other',
        af: '4',
      });
    },
    [
      'VEG.3317aa3ff337.ipv4',
      'VEG.3317aa3ff337.ipv6',
      'VEG.3317aa3ff337_ip4',
      'VEG.3317aa3ff337_ip6',
    ].map((it) => `orphaned-address-set ${it}`),
  ],
  [
    'a Service is gone',
    (recording) => {
      vip(recording, 'cluster-tcp-loadbalancer', '10.96.1.1:80');
    },
    ['stale-load-balancer-vip cluster-tcp-loadbalancer[10.96.1.1:80]'],
  ],
  [
    'a Service is gone, and its load balancer has no key, as before v1.15',
    (recording) => {
      vip(recording, 'cluster-tcp-loadbalancer', '10.96.1.1:80');
      recording.nb.row('Load_Balancer', 'cluster-tcp-loadbalancer')['external_ids'] = {};
    },
    ['stale-load-balancer-vip cluster-tcp-loadbalancer[10.96.1.1:80]'],
  ],
  [
    'a Service of the other family is gone',
    (recording) => {
      vip(recording, 'vpc-tenant-a-vpc-tcp-load', '[fd00:10:96::1]:80');
    },
    ['stale-load-balancer-vip vpc-tenant-a-vpc-tcp-load[[fd00:10:96::1]:80]'],
  ],
  [
    'a Service changed its protocol',
    (recording) => {
      recording.add('Service', 'shop/udp', {
        spec: { clusterIP: '10.96.1.1', ports: [{ port: 53, protocol: 'UDP' }] },
      });
      vip(recording, 'cluster-tcp-loadbalancer', '10.96.1.1:53');
    },
    ['stale-load-balancer-vip cluster-tcp-loadbalancer[10.96.1.1:53]'],
  ],
  [
    'a Service is gone beside an entry by hand',
    (recording) => {
      vip(recording, 'cluster-tcp-loadbalancer', '10.96.1.1:80');
      vip(recording, 'cluster-tcp-loadbalancer', '10.96.9.9');
    },
    ['stale-load-balancer-vip cluster-tcp-loadbalancer[10.96.1.1:80]'],
  ],
  [
    'an OvnDnatRule is gone',
    (recording) => {
      recording.remove('OvnDnatRule', 'odnat-b3');
    },
    ['orphaned-load-balancer odnat-b3'],
  ],
  [
    'a Vpc is gone, its load balancers stay',
    (recording) => {
      insert(
        recording,
        'Load_Balancer',
        'vpc-old-tcp-load',
        {},
        { protocol: ['tcp'], options: { prefer_local_backend: 'false' } },
      );
      insert(
        recording,
        'Load_Balancer',
        'vpc-old-udp-sess-load',
        {},
        { protocol: ['udp'], options: { affinity_timeout: '10800' } },
      );
    },
    ['orphaned-load-balancer vpc-old-tcp-load', 'orphaned-load-balancer vpc-old-udp-sess-load'],
  ],
  [
    'a Vpc with a way out is gone, and its router was collected',
    (recording) => {
      recording.add('OvnEip', 'old-external', {
        metadata: {
          finalizers: ['kubeovn.io/kube-ovn-controller'],
          labels: { 'ovn.kubernetes.io/subnet': 'external' },
        },
        spec: { externalSubnet: 'external', type: 'lrp', v4Ip: '198.51.100.30', v6Ip: '' },
      });
      ownPort(recording, 'external-old', 'external', undefined, {
        columns: {
          type: 'router',
          addresses: ['router'],
          options: { 'router-port': 'old-external' },
        },
      });
    },
    ['leaked-ovn-eip old-external'],
  ],
  [
    'a subnet is gone by force',
    (recording) => {
      const router = recording.nb.row('Logical_Router', 'ovn-cluster');
      recording.nb.insert(
        'Logical_Router_Port',
        {
          name: 'ovn-cluster-old-net',
          mac: '00:00:00:00:00:01',
          networks: ['10.9.0.1/24'],
          external_ids: { ...VENDOR, lr: 'ovn-cluster' },
        },
        { row: router, column: 'ports' },
      );
      insert(recording, 'Port_Group', 'old.net.worker.1', {
        subnet: 'old-net',
        node: 'worker-1',
        np: 'old-net/worker-1',
      });
      insert(recording, 'Address_Set', 'old.net.u2o_exclude_ip.ip4', {
        subnet: 'old-net',
        isU2ORoutePolicy: 'true',
      });
    },
    [
      'orphaned-address-set old.net.u2o_exclude_ip.ip4',
      'orphaned-logical-router-port ovn-cluster-old-net',
      'orphaned-port-group old.net.worker.1',
    ],
  ],
  [
    'an OvnFip and an OvnSnatRule are gone by force',
    (recording) => {
      recording.remove('OvnFip', 'ofip-b1');
      recording.remove('OvnSnatRule', 'osnat-b2');
    },
    ['orphaned-nat', 'orphaned-nat'],
  ],
];

test.each(FAULTS)('%s', async (_title, change, expected) => {
  const found = (await foundIn('clean', change)).filter((it) =>
    /^(leaked|orphaned|stale-load)-/.test(it),
  );
  expect(found.map((it) => (it.startsWith('orphaned-nat ') ? 'orphaned-nat' : it))).toEqual(
    [...expected].sort(),
  );
});

test('the policies of a node and of a subnet that are gone', async () => {
  let doomed: string[] = [];
  const found = await foundIn('clean', (recording) => {
    recording.remove('Subnet', 'data');
    recording.nb.drop(recording.nb.row('Logical_Switch', 'data'));
    recording.remove('Node', 'cp-1');
    down(recording, 'node-cp-1');
    for (const { metadata, spec } of recording.all('Pod'))
      if (spec.nodeName === 'cp-1')
        recording.get('Pod', `${metadata.namespace}/${metadata.name}`).spec.nodeName = 'worker-1';
    doomed = [
      ...new Set(
        [
          ...byKeys(recording, 'Logical_Router_Policy', { subnet: 'data' }),
          ...byKeys(recording, 'Logical_Router_Policy', { node: 'cp-1' }),
        ].map((row) => row._uuid),
      ),
    ];
  });
  expect(doomed.length).toBeGreaterThan(5);
  expect(
    found
      .filter((it) => it.startsWith('orphaned-logical-router-policy '))
      .map((it) => it.split(' ')[1]),
  ).toEqual([...doomed].sort());
});

test('the record of a pod that is gone, of an address that a living pod uses: leak and conflict in one, and nothing to be done about it', async () => {
  const engine = await auditOf('clean', (recording) => {
    const { v4IpAddress } = recording.get('IP', 'redis-0.shop').spec;
    ownIp(recording, 'gone.shop', 'apps', {
      namespace: 'shop',
      podName: 'gone',
      ipAddress: v4IpAddress,
      v4IpAddress,
    });
  });
  const leaks = engine.findings().filter((it) => ['garbage', 'leak'].includes(it.class));
  expect(leaks).toMatchObject([{ rule: 'leaked-ip', remedy: null }]);
  expect(leaks[0]!.summary).toContain('; Pod shop/redis-0 (IP redis-0.shop) uses ');
});

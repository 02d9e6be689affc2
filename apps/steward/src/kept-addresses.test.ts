import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import type { Mutation } from './testing/mutate';
import type { PlainRow } from './testing/nb-edit';
import { doomedIn, ownIp, ownPort } from './testing/scenario';
import type { Scenario } from './testing/scenario';

const vip = (recording: Mutation, balancer: string, entry: string): void => {
  (recording.nb.row('Load_Balancer', balancer)['vips'] as Record<string, string>)[entry] =
    '10.17.0.10:8080';
};
const service = (recording: Mutation, key: string, spec: object, rest: object = {}): void => {
  recording.add('Service', key, { spec: { ports: [{ port: 80 }], ...spec }, status: {}, ...rest });
};
const own = ({ nb }: Mutation, name: string, columns: PlainRow = {}, router?: string): string => {
  const uuid = nb.insert('Load_Balancer', {
    name,
    protocol: ['tcp'],
    vips: {},
    external_ids: VENDOR,
    ...columns,
  });
  if (router) {
    const row = nb.row('Logical_Router', router);
    row['load_balancer'] = [...(row['load_balancer'] as string[]), uuid];
  }
  return uuid;
};
const CLUSTER = 'cluster-tcp-loadbalancer';
const nat = ({ nb }: Mutation, router: string, columns: PlainRow): string =>
  nb.insert('NAT', columns, { row: nb.row('Logical_Router', router), column: 'nat' });

/** Vips, external addresses and load balancers that look abandoned and are not. */
const KEPT: readonly Scenario[] = [
  [
    'a Service of two families, written out in OVN',
    (recording) => {
      service(recording, 'shop/dual', {
        clusterIP: '10.96.1.1',
        clusterIPs: ['10.96.1.1', 'fd00:10:96::1'],
      });
      vip(recording, CLUSTER, '10.96.1.1:80');
      vip(recording, CLUSTER, '[fd00:10:96:0:0:0:0:1]:80');
    },
  ],
  [
    'a Service without a list of addresses',
    (recording) => {
      service(recording, 'shop/old', { clusterIP: '10.96.1.1' });
      vip(recording, CLUSTER, '10.96.1.1:80');
    },
  ],
  [
    'a headless Service',
    (recording) => {
      service(recording, 'shop/headless', { clusterIP: 'None', clusterIPs: ['None'] });
    },
  ],
  [
    'external and load balancer addresses',
    (recording) => {
      service(
        recording,
        'shop/out',
        {
          type: 'LoadBalancer',
          clusterIP: '10.96.1.1',
          externalIPs: ['192.0.2.7'],
          loadBalancerIP: '192.0.2.8',
        },
        { status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }, { hostname: 'x' }] } } },
      );
      for (const ip of ['10.96.1.1', '192.0.2.7', '192.0.2.8', '192.0.2.9'])
        vip(recording, CLUSTER, `${ip}:80`);
    },
  ],
  [
    'a Service that keeps its clients',
    (recording) => {
      service(recording, 'shop/sticky', { clusterIP: '10.96.1.1', sessionAffinity: 'ClientIP' });
      vip(recording, 'cluster-tcp-session-loadbalancer', '10.96.1.1:80');
    },
  ],
  [
    'a Service of another VPC',
    (recording) => {
      service(recording, 'tenant-b/far', { clusterIP: '10.96.1.1' });
      vip(recording, 'vpc-tenant-a-vpc-tcp-load', '10.96.1.1:80');
    },
  ],
  [
    'UDP and SCTP',
    (recording) => {
      service(recording, 'shop/u', {
        clusterIP: '10.96.1.1',
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 54, protocol: 'SCTP' },
        ],
      });
      vip(recording, 'cluster-udp-loadbalancer', '10.96.1.1:53');
      vip(recording, 'cluster-sctp-loadbalancer', '10.96.1.1:54');
    },
  ],
  [
    'a Service that is being deleted',
    (recording) => {
      service(
        recording,
        'shop/going',
        { clusterIP: '10.96.1.1' },
        { metadata: { deletionTimestamp: '2026-08-22T00:00:00Z', finalizers: ['x'] } },
      );
      vip(recording, CLUSTER, '10.96.1.1:80');
    },
  ],
  [
    'the Service of a SwitchLBRule, by its annotation',
    (recording) => {
      service(
        recording,
        'tenant-b/answers',
        { clusterIP: 'None' },
        { metadata: { annotations: { 'ovn.kubernetes.io/switch_lb_vip': '10.60.0.77,fd00::77' } } },
      );
      vip(recording, 'vpc-tenant-b-vpc-tcp-load', '10.60.0.77:80');
      vip(recording, 'vpc-tenant-b-vpc-tcp-load', '[fd00::77]:80');
    },
  ],
  [
    'a SwitchLBRule without its Service',
    (recording) => {
      recording.add('SwitchLBRule', 'early', {
        spec: { vip: '10.60.0.78', ports: [{ port: 80, protocol: 'TCP' }] },
      });
      vip(recording, 'vpc-tenant-b-vpc-tcp-load', '10.60.0.78:80');
    },
  ],
  [
    'a RouterLBRule',
    (recording) => {
      recording.add('RouterLBRule', 'edge', {
        spec: { vpc: 'tenant-b-vpc', ovnEip: 'oeip-b1', ports: [{ port: 443, protocol: 'TCP' }] },
      });
      vip(recording, 'vpc-tenant-b-vpc-tcp-load', '198.51.100.11:443');
    },
  ],
  [
    'a RouterLBRule that names no protocol',
    (recording) => {
      recording.add('RouterLBRule', 'edge', {
        spec: { vpc: 'tenant-b-vpc', ovnEip: 'oeip-b1', ports: [{ port: 443 }] },
      });
      vip(recording, 'vpc-tenant-b-vpc-tcp-load', '198.51.100.11:443');
    },
  ],
  [
    'the address of VPC DNS',
    (recording) => {
      recording.add('SwitchLBRule', 'vpc-dns-dns', {
        metadata: { labels: { 'ovn.kubernetes.io/vpc-dns': 'true' } },
        spec: { vip: '10.96.0.3', ports: [{ port: 53, protocol: 'UDP' }] },
      });
      vip(recording, 'vpc-tenant-b-vpc-udp-load', '10.96.0.3:53');
    },
  ],
  [
    'entries that are no address and port',
    (recording) => {
      vip(recording, CLUSTER, '10.96.9.9');
      vip(recording, CLUSTER, '^vip:^port');
    },
  ],
  [
    'a load balancer of a Vpc without a status',
    (recording) => {
      recording.get('Vpc', 'tenant-a-vpc').status = {};
      recording.get('Vpc', 'ovn-cluster').status = {};
    },
  ],
  [
    "load balancers that look like a VPC's",
    (recording) => {
      own(recording, 'vpc-legacy-tcp-load');
      own(recording, 'vpc-legacy-udp-load', { external_ids: {} });
      own(recording, 'vpc-legacy-tcp-sess-load', {
        protocol: ['udp'],
        options: { affinity_timeout: '1' },
      });
    },
  ],
  [
    'a load balancer with our tag that is on nothing',
    (recording) => {
      own(recording, 'mine', { vips: { '10.1.1.1:80': '10.1.1.2:80' } });
    },
  ],
  [
    'a load balancer with our tag on a switch only',
    (recording) => {
      const uuid = own(recording, 'mine');
      const row = recording.nb.row('Logical_Switch', 'apps');
      row['load_balancer'] = [...(row['load_balancer'] as string[]), uuid];
    },
  ],
  [
    'the load balancer of an OvnDnatRule that is being deleted',
    (recording) => {
      recording.get('OvnDnatRule', 'odnat-b3').metadata.deletionTimestamp = '2026-08-22T00:00:00Z';
    },
  ],
  [
    'a load balancer by hand on a router',
    (recording) => {
      own(recording, 'by-hand', { external_ids: {} }, 'tenant-b-vpc');
    },
  ],
  [
    'a load balancer in a group of load balancers',
    (recording) => {
      const uuid = own(recording, 'grouped', {}, 'tenant-b-vpc');
      recording.nb.insert('Load_Balancer_Group', { name: 'g', load_balancer: [uuid] });
    },
  ],
  [
    'a load balancer on a router for a RouterLBRule',
    (recording) => {
      recording.add('RouterLBRule', 'edge', {
        spec: { vpc: 'tenant-b-vpc', ovnEip: 'oeip-b1', ports: [{ port: 443, protocol: 'TCP' }] },
      });
      own(recording, 'edge', { vips: { '198.51.100.11:443': '10.60.0.3:8443' } }, 'tenant-b-vpc');
    },
  ],
  [
    'a NAT by hand, for an address of no OvnEip',
    (recording) => {
      nat(recording, 'tenant-b-vpc', {
        type: 'snat',
        external_ip: '198.51.100.99',
        logical_ip: '10.60.0.0/24',
      });
    },
  ],
  [
    'a NAT by hand, for the address of a router port',
    (recording) => {
      nat(recording, 'tenant-b-vpc', {
        type: 'snat',
        external_ip: '198.51.100.10',
        logical_ip: '10.60.0.0/24',
      });
    },
  ],
  [
    'a NAT by hand, for an OvnEip that never had one',
    (recording) => {
      recording.add('OvnEip', 'spare', {
        spec: { externalSubnet: 'external', type: 'nat', v4Ip: '198.51.100.50' },
        status: { v4Ip: '198.51.100.50', type: 'nat', nat: '', ready: true },
      });
      nat(recording, 'tenant-b-vpc', {
        type: 'dnat_and_snat',
        external_ip: '198.51.100.50',
        logical_ip: '10.60.0.9',
      });
    },
  ],
  [
    'a NAT of a pod with an address of its own',
    (recording) => {
      recording.add('Pod', 'shop/eip', {
        metadata: { annotations: { 'ovn.kubernetes.io/eip': '198.51.100.11' } },
        spec: {},
        status: { phase: 'Running' },
      });
      nat(recording, 'ovn-cluster', {
        type: 'dnat_and_snat',
        external_ip: '198.51.100.11',
        logical_ip: '10.16.0.99',
      });
    },
  ],
  [
    'a NAT whose MAC Neutron has moved',
    (recording) => {
      const row = recording.nb.rows('NAT').find((one) => one['type'] === 'dnat_and_snat')!;
      row['external_ids'] = { 'neutron:fip_external_mac': '00:00:00:00:00:09' };
      row['external_mac'] = [];
    },
  ],
  [
    'Vips of every sort',
    (recording) => {
      const add = (
        name: string,
        spec: object,
        labels: object = {
          'ovn.kubernetes.io/subnet': 'apps',
          'ovn.kubernetes.io/ip_reserved': '',
        },
      ): void => {
        recording.add('Vip', name, {
          metadata: { labels },
          spec: { subnet: 'apps', namespace: '', type: '', v4ip: '10.17.0.200', ...spec },
          status: { v4ip: '10.17.0.200' },
        });
      };
      add('plain', {});
      add(
        'bound',
        { namespace: 'shop' },
        { 'ovn.kubernetes.io/subnet': 'apps', 'ovn.kubernetes.io/ip_reserved': 'redis-0.shop' },
      );
      add('typed', { namespace: 'shop', type: 'switch_lb_vip' });
      ownPort(recording, 'typed.shop', 'apps', 'shop/typed', {
        columns: { options: { arp_proxy: 'true' } },
      });
      add('host', { namespace: 'vms', type: 'kube_host_vm_vip' });
      ownPort(recording, 'host.vms.vm-lan.vms.ovn', 'vm-lan', 'vms/host');
      add('homeless', { type: 'kube_host_vm_vip' });
      ownPort(recording, 'homeless.', 'apps');
      add('node-x', { type: 'switch_lb_vip' });
      ownPort(recording, 'node-x.', 'apps');
      ownPort(recording, 'node-x..data-net.shop.ovn', 'data');
      add('dotted.vip', { namespace: 'shop', type: 'switch_lb_vip' });
      ownPort(recording, 'dotted.vip.shop', 'apps', 'shop/dotted.vip');
    },
  ],
  [
    'virtual ports of a subnet, of a Vip and of nobody',
    (recording) => {
      for (const name of ['apps-vip-10.17.0.201', 'vip-gone', 'apps-vip-10.17.0.202'])
        ownPort(recording, name, 'apps', undefined, {
          columns: { type: 'virtual', options: { 'virtual-ip': '10.17.0.201' } },
        });
    },
  ],
  [
    "the health-check Vip of the default subnet, as a user's",
    (recording) => {
      recording.add('Vip', 'apps', {
        metadata: {
          labels: {
            'ovn.kubernetes.io/subnet': 'apps',
            'ovn.kubernetes.io/ip_reserved': '',
            team: 'net',
          },
        },
        spec: { subnet: 'apps', namespace: '', type: '', v4ip: '10.17.0.210' },
        status: { v4ip: '10.17.0.210' },
      });
    },
  ],
  [
    'the Vip of a subnet that a pod uses',
    (recording) => {
      recording.add('Vip', 'apps', {
        metadata: {
          labels: { 'ovn.kubernetes.io/subnet': 'apps', 'ovn.kubernetes.io/ip_reserved': '' },
        },
        spec: { subnet: 'apps', namespace: '', type: '', v4ip: '10.17.0.210' },
        status: { v4ip: '10.17.0.210' },
      });
      recording.get('Pod', 'shop/redis-0').metadata.annotations['ovn.kubernetes.io/aaps'] = 'apps';
    },
  ],
  [
    'addresses of a gateway outside',
    (recording) => {
      ownIp(
        recording,
        'vpc-nat-gw-gw-a-0.kube-system.ovn-vpc-external-network.kube-system',
        'ovn-vpc-external-network',
        { namespace: 'kube-system', podName: 'vpc-nat-gw-gw-a-0', podType: 'StatefulSet' },
      );
    },
  ],
];

test.each(KEPT)('%s: nothing is called garbage or leak', async (_title, change) => {
  expect(await doomedIn('clean', change)).toEqual([]);
});

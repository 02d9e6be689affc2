import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import type { EnforcedBed } from './enforced-bed';
import type { Mutation, Raw } from './mutate';

const CRD = '/apis/kubeovn.io/v1';

/** One fault that no deletion hangs of: how it is found, and how it is mended. */
export interface RepairCase {
  /** Where it is described: a section or row of kube-ovn.md. */
  readonly row: string;
  readonly title: string;
  readonly plant: (it: Mutation) => void;
  /**
   * All that must be found because of it: `rule`, `rule name` where what is found has one, or `rule
   * name[part]`.
   */
  readonly finds: readonly string[];
  /** Actions of the executor, in any order. */
  readonly actions: readonly string[];
  /** What a person, or Kube-OVN's controller after the actions, does. */
  readonly others?: (bed: EnforcedBed) => Promise<void>;
}

/** Reads an object, changes it and writes it back. */
async function edited(
  { api }: EnforcedBed,
  path: string,
  change: (it: Raw) => void,
): Promise<void> {
  const object = (await api.get(path)) as Raw;
  change(object);
  await api.send('PUT', path, object);
}

const sessionsOf = (recording: Mutation, vpc: string, gateway: string): void => {
  recording.nb.insert('BFD', {
    logical_port: `bfd@${vpc}`,
    dst_ip: '10.78.0.9',
    external_ids: { ...VENDOR, 'vpc-egress-gateway': gateway, af: '4' },
  });
  recording.nb.insert('HA_Chassis_Group', {
    name: `bfd@${vpc}`,
    external_ids: { ...VENDOR, lrp: `bfd@${vpc}` },
  });
};

const POD = '/api/v1/namespaces/shop/pods/redis-2';
const ALLOCATED = 'ovn.kubernetes.io/allocated';

export const REPAIR_CASES: readonly RepairCase[] = [
  {
    row: 'row 36',
    title: 'a pod that runs on the record of its predecessor, which is being deleted',
    actions: ['reallocate-pod'],
    plant: (recording) =>
      void Object.assign(recording.get('IP', 'redis-2.shop').metadata, {
        deletionTimestamp: '2026-08-02T00:00:00Z',
        deletionGracePeriodSeconds: 0,
        finalizers: ['kubeovn.io/kube-ovn-controller'],
      }),
    finds: [`missing-ip shop/redis-2[${ALLOCATED}]`, 'stuck-ip-deletion redis-2.shop'],
    async others(bed) {
      const path = `${CRD}/ips/redis-2.shop`;
      expect(((await bed.api.get(POD)) as Raw).metadata.annotations).not.toHaveProperty([
        ALLOCATED,
      ]);
      const {
        apiVersion,
        kind,
        metadata: { name, labels },
        spec,
      } = (await bed.api.get(path)) as Raw;
      await edited(bed, path, (ip) => {
        ip.metadata.finalizers = [];
      });
      await bed.api.send('POST', `${CRD}/ips`, {
        apiVersion,
        kind,
        metadata: { name, labels, finalizers: ['kubeovn.io/kube-ovn-controller'] },
        spec,
      });
      await edited(bed, POD, (pod) => {
        pod.metadata.annotations[ALLOCATED] = 'true';
      });
    },
  },
  {
    row: 'row 38',
    title: "an external address that a restart took from Kube-OVN's memory",
    actions: [],
    finds: ['address-not-in-ipam external[198.51.100.11]'],
    plant: (recording) => {
      recording.get('Subnet', 'external').status.v4usingIPrange =
        '198.51.100.10,198.51.100.12-198.51.100.14';
    },
    others: (bed) =>
      edited(bed, `${CRD}/subnets/external`, (subnet) => {
        subnet.spec.excludeIps.push('198.51.100.11');
      }),
  },
  {
    row: 'rows 41 and 42',
    title:
      'a subnet whose VPC was deleted, and a namespace that was annotated no more because of it',
    actions: [],
    finds: ['namespace-without-subnet dr-late', 'vpc-of-subnet-missing dr-child'],
    plant: (recording) => {
      recording.add('Subnet', 'dr-child', {
        spec: {
          vpc: 'dr-lost',
          provider: 'ovn',
          protocol: 'IPv4',
          cidrBlock: '10.78.1.0/24',
          gateway: '10.78.1.1',
          excludeIps: ['10.78.1.1'],
        },
        status: { v4usingIPs: 0, v6usingIPs: 0, v4usingIPrange: '', v6usingIPrange: '' },
      });
      recording.nb.insert('Logical_Switch', { name: 'dr-child', external_ids: VENDOR });
      recording.add('Namespace', 'dr-late', {});
    },
    async others(bed) {
      await bed.api.send('POST', `${CRD}/vpcs`, {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Vpc',
        metadata: { name: 'dr-lost' },
        spec: {},
      });
      await edited(bed, '/api/v1/namespaces/dr-late', (namespace) => {
        namespace.metadata.annotations = { 'ovn.kubernetes.io/logical_switch': 'ovn-default' };
      });
    },
  },
  {
    row: 'row 44',
    title:
      'what a VPC leaves: its load balancers, a BFD session, a group of chassis and an address set',
    actions: [
      'delete-address-set',
      'delete-bfd',
      'delete-ha-chassis-group',
      ...Array<string>(6).fill('delete-load-balancer'),
    ],
    finds: [
      'orphaned-address-set dr.gone.u2o_overlay_cidrs.ip4',
      'orphaned-bfd',
      'orphaned-ha-chassis-group bfd@dr-gone',
      ...['sctp', 'tcp', 'udp'].flatMap((protocol) => [
        `orphaned-load-balancer vpc-dr-gone-${protocol}-load`,
        `orphaned-load-balancer vpc-dr-gone-${protocol}-sess-load`,
      ]),
    ],
    plant: (recording) => {
      for (const protocol of ['tcp', 'udp', 'sctp']) {
        recording.nb.insert('Load_Balancer', {
          name: `vpc-dr-gone-${protocol}-load`,
          protocol: [protocol],
          options: { prefer_local_backend: 'false' },
          external_ids: VENDOR,
        });
        recording.nb.insert('Load_Balancer', {
          name: `vpc-dr-gone-${protocol}-sess-load`,
          protocol: [protocol],
          options: { affinity_timeout: '10800', prefer_local_backend: 'false' },
          external_ids: VENDOR,
        });
      }
      sessionsOf(recording, 'dr-gone', 'tenant-b/dr-gone');
      recording.nb.insert('Address_Set', {
        name: 'dr.gone.u2o_overlay_cidrs.ip4',
        external_ids: { ...VENDOR, isU2OOverlayCIDRs: 'true', vpc: 'dr-gone' },
      });
    },
  },
  {
    row: '§7.2, row 47',
    title:
      'what a subnet leaves when the controller restarts between its finalizer and its clean-up',
    actions: [
      'delete-address-set',
      'delete-dhcp-options',
      'delete-logical-router-policy',
      'delete-logical-router-policy',
      'delete-logical-router-port',
    ],
    finds: [
      'orphaned-address-set dr.half.u2o_exclude_ip.ip4',
      'orphaned-dhcp-options',
      'orphaned-logical-router-policy',
      'orphaned-logical-router-policy',
      'orphaned-logical-router-port ovn-cluster-dr-half',
    ],
    plant: (recording) => {
      const router = recording.nb.row('Logical_Router', 'ovn-cluster');
      const policy = (priority: number, match: string, ids: Raw): void =>
        void recording.nb.insert(
          'Logical_Router_Policy',
          {
            priority,
            match,
            action: 'allow',
            external_ids: { ...VENDOR, subnet: 'dr-half', ...ids },
          },
          { row: router, column: 'policies' },
        );
      recording.nb.insert(
        'Logical_Router_Port',
        {
          name: 'ovn-cluster-dr-half',
          mac: '00:00:00:00:78:01',
          networks: ['10.78.2.1/24'],
          external_ids: { ...VENDOR, lr: 'ovn-cluster' },
        },
        { row: router, column: 'ports' },
      );
      policy(31000, 'ip4.dst == 10.78.2.0/24', {});
      policy(29400, 'ip4.dst == $dr.half.u2o_exclude_ip.ip4 && ip4.src == 10.78.2.0/24', {
        isU2ORoutePolicy: 'true',
      });
      recording.nb.insert('Address_Set', {
        name: 'dr.half.u2o_exclude_ip.ip4',
        external_ids: { ...VENDOR, isU2ORoutePolicy: 'true', subnet: 'dr-half' },
      });
      recording.nb.insert('DHCP_Options', {
        cidr: '10.78.2.0/24',
        external_ids: { ...VENDOR, ls: 'dr-half', protocol: 'IPv4' },
      });
    },
  },
];

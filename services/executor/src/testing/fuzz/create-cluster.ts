import { routerPort, switchPort } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { type Json, operation as op } from '@ovn-steward/ovsdb';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { memoryObjects } from '@ovn-steward/systems/testing/memory-objects';
import { memoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import {
  annotationsOf,
  portAddress,
  specOf,
} from '@ovn-steward/systems/testing/kube-ovn/addresses';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import {
  addressOf,
  BALANCER,
  BOUND,
  type Cluster,
  FINALIZER,
  JOIN,
  named,
  NAMESPACES,
  NODES,
  putNode,
  putSubnet,
  ROUTER,
  STEADY,
  SUBNETS,
} from './cluster';
import { createController } from './controller';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';

/**
 * A small cluster that Kube-OVN, Neutron and somebody unknown share: all of Kube-OVN's owners are
 * there, and what each of them has. Half of what could leak is left to the others to make leak.
 * @param now the clock of the cluster, milliseconds since 1970.
 */
export async function createCluster(
  random: Random,
  now: () => number = () => performance.now(),
): Promise<Cluster> {
  const { schema } = await recordedDatabase('leaky');
  const northbound = memoryNorthbound({ schema });
  if (random.chance(0.5)) northbound.database.cid = random.uuid();
  // No two clusters give one uid twice: what is bound to one is bound to its cluster.
  const kubernetes = memoryKubernetes(memoryObjects(random.int(2 ** 32)));
  const { put } = kubernetes;
  // Whoever makes an object has its kind installed first.
  kubernetes.put = (object) => {
    kubernetes.notInstalled.delete(object.kind);
    return put(object);
  };
  const cluster: Cluster = {
    northbound,
    kubernetes,
    random,
    controller: createController(random, now),
    shown: { view: { version: 0, missing: [] } },
    protocols: Object.fromEntries(
      SUBNETS.map((it) => [it, random.pick(['IPv4', 'IPv4', 'Dual', 'IPv6'] as const)]),
    ),
    write: (...operations) => northbound.database.transact(operations).ok,
  };
  ground(cluster);
  for (const [nth, name] of SUBNETS.entries()) network(cluster, name, nth);
  population(cluster);
  foreign(cluster);
  return cluster;
}

function ground({ kubernetes, random, write }: Cluster): void {
  // By its uid a cluster is known: no two have the same.
  kubernetes.put({ kind: 'Namespace', metadata: { name: 'kube-system', uid: random.uuid() } });
  for (const name of NAMESPACES)
    kubernetes.put({
      kind: 'Namespace',
      metadata: {
        name,
        ...(name === BOUND.namespace && {
          annotations: { 'ovn.kubernetes.io/logical_switch': BOUND.subnet },
        }),
      },
    });
  kubernetes.put({
    kind: 'Vpc',
    metadata: { name: ROUTER },
    spec: {},
    status: { default: true, router: ROUTER, tcpLoadBalancer: BALANCER, subnets: [...SUBNETS] },
  });
  write(
    ...add('NB_Global', random.uuid(), { name: '' }),
    ...add('Logical_Router', random.uuid(), { name: ROUTER, external_ids: ours() }),
    ...add('Load_Balancer', random.uuid(), {
      name: BALANCER,
      protocol: 'tcp',
      options: op.map([['prefer_local_backend', 'false']]),
      external_ids: ours(),
    }),
  );
}

/** A subnet with its switch, its way to the router, and what the router does for it. */
function network(cluster: Cluster, name: string, nth: number): void {
  const { random, write } = cluster;
  putSubnet(cluster, name);
  const router = named(cluster, 'Logical_Router', ROUTER)!;
  const holder = random.uuid();
  write(
    ...add('Logical_Switch', holder, { name, external_ids: ours() }),
    ...add('Logical_Switch_Port', random.uuid(), switchPort(ROUTER, name), {
      table: 'Logical_Switch',
      uuid: holder,
      column: 'ports',
    }),
    ...add(
      'Logical_Router_Port',
      random.uuid(),
      routerPort(ROUTER, name, `0a:58:00:00:${nth}0:01`, `10.${16 + nth}.0.1/16`),
      { table: 'Logical_Router', uuid: router, column: 'ports' },
    ),
    ...add(
      'Logical_Router_Policy',
      random.uuid(),
      {
        priority: 31000,
        match: `ip4.dst == 10.${16 + nth}.0.0/16`,
        action: 'allow',
        external_ids: ours({ subnet: name }),
      },
      { table: 'Logical_Router', uuid: router, column: 'policies' },
    ),
    ...add('DHCP_Options', random.uuid(), {
      cidr: `10.${16 + nth}.0.0/16`,
      options: op.map([['lease_time', '3600']]),
      external_ids: ours({ ls: name, protocol: 'IPv4' }),
    }),
  );
}

/** By which the names of its pods are made at random. */
const OWNER = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'dns-x7k2',
  uid: '4f9d2f6e-52f3-4c66-9a43-0d6d8a6f1c11',
  controller: true,
} as const;

/** Nodes and the cluster's own pods, as Kube-OVN addressed them. */
function population(cluster: Cluster): void {
  const { kubernetes, random, write } = cluster;
  kubernetes.put({
    kind: 'Subnet',
    metadata: { name: JOIN },
    spec: { vpc: ROUTER, cidrBlock: '10.64.0.0/16', protocol: 'IPv4', provider: 'ovn' },
    status: { v4usingIPs: 2 },
  });
  write(...add('Logical_Switch', random.uuid(), { name: JOIN, external_ids: ours() }));
  for (const name of NODES) putNode(cluster, name);
  const holder = named(cluster, 'Logical_Switch', SUBNETS[0])!;
  for (const name of STEADY) {
    const address = addressOf(cluster, SUBNETS[0]);
    kubernetes.put({
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'kube-system',
        ownerReferences: [OWNER],
        annotations: annotationsOf(address, SUBNETS[0]),
      },
      spec: { nodeName: NODES[0] },
    });
    kubernetes.put({
      kind: 'IP',
      metadata: { name: `${name}.kube-system`, finalizers: [FINALIZER] },
      spec: {
        namespace: 'kube-system',
        podName: name,
        podType: '',
        nodeName: NODES[0],
        subnet: SUBNETS[0],
        ...specOf(address),
      },
    });
    write(
      ...add(
        'Logical_Switch_Port',
        random.uuid(),
        {
          name: `${name}.kube-system`,
          addresses: portAddress(address),
          up: true,
          external_ids: ours({ ls: SUBNETS[0], pod: `kube-system/${name}` }),
        },
        { table: 'Logical_Switch', uuid: holder, column: 'ports' },
      ),
    );
  }
}

/** Rows of others, which nothing may ever happen to. */
function foreign({ random, write }: Cluster): void {
  const neutron = (ids: Readonly<Record<string, string>>): Json =>
    op.map(Object.entries(ids).map(([key, value]) => [`neutron:${key}`, value] as const));
  const net = random.uuid();
  const port = random.uuid();
  const group = random.uuid();
  const hand = random.uuid();
  write(
    ...add('Logical_Switch', net, {
      name: `neutron-${random.uuid()}`,
      external_ids: neutron({ network_name: 'tenant', mtu: '1442', revision_number: '1' }),
    }),
    ...add(
      'Logical_Switch_Port',
      port,
      {
        name: random.uuid(),
        addresses: 'fa:16:3e:00:00:01 10.200.0.4',
        external_ids: neutron({ device_id: random.uuid(), revision_number: '3' }),
      },
      { table: 'Logical_Switch', uuid: net, column: 'ports' },
    ),
    ...add('Port_Group', group, {
      name: 'pg_0c36ebd5_a6d7_42ac_8a43_d4a1a8a9d3f1',
      ports: op.uuid(port),
      external_ids: neutron({ security_group_id: '0c36ebd5-a6d7-42ac-8a43-d4a1a8a9d3f1' }),
    }),
    ...add('Address_Set', random.uuid(), { name: 'as_by_hand', addresses: '10.0.0.1' }),
    ...add('Logical_Switch', hand, { name: 'by-hand' }),
    ...add(
      'Logical_Switch_Port',
      random.uuid(),
      { name: 'vm-0', addresses: 'unknown' },
      { table: 'Logical_Switch', uuid: hand, column: 'ports' },
    ),
    ...add('Port_Group', random.uuid(), {
      name: 'pg_by_hand',
      external_ids: op.map([['who', 'anna']]),
    }),
  );
}

import type { DatabaseSchema } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { routerPort, switchPort } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { annotationsOf, portAddress } from '@ovn-steward/systems/testing/kube-ovn/addresses';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { type Cluster, emptyCluster, JOIN, NAMESPACES, rowNamed, ROUTER } from './cluster';
import { addressIn, BLOCKS, macOf } from './kube-ovn/ipam';
import { LAB } from './kube-ovn/namespaces';
import type { Release } from './kube-ovn/releases';
import { neutron } from './others/neutron';
import { DEFINITIONS } from './feeds/delivery';
import { external, EXTERNAL } from './create-external';

export const NODES = ['worker-1', 'worker-2'] as const;
/** Of the attachment, whose NetworkAttachmentDefinition is shop/lan. */
const ATTACHMENT = 'lan';
/** The subnets that are there from the beginning. */
const SUBNETS = ['ovn-default', JOIN, 'apps', 'data', ATTACHMENT] as const;
/** Which subnet the pods of a namespace get. */
const SUBNET_OF: Readonly<Record<string, string>> = { shop: 'apps', batch: 'data' };

/** A small cluster in good order that Kube-OVN and Neutron share. */
export function createCluster(random: Random, schema: DatabaseSchema, release: Release): Cluster {
  const cluster = emptyCluster(random, schema, release);
  ground(cluster);
  for (const name of SUBNETS) subnet(cluster, name);
  for (const [nth, name] of NODES.entries()) node(cluster, name, nth);
  external(cluster, 100);
  neutron(cluster);
  return cluster;
}

function ground(cluster: Cluster): void {
  const { random, release } = cluster;
  for (const name of DEFINITIONS)
    cluster.put({ kind: 'CustomResourceDefinition', metadata: { name } });
  for (const name of ['default', 'kube-system', LAB, ...NAMESPACES])
    cluster.put({
      kind: 'Namespace',
      metadata: {
        name,
        annotations: { 'ovn.kubernetes.io/logical_switch': SUBNET_OF[name] ?? 'ovn-default' },
      },
    });
  cluster.put({
    kind: 'Vpc',
    metadata: { name: ROUTER, finalizers: [release.finalizer] },
    spec: {},
    status: {
      default: true,
      defaultLogicalSwitch: 'ovn-default',
      router: ROUTER,
      standby: true,
      subnets: [...SUBNETS, EXTERNAL],
    },
  });
  cluster.put({
    kind: 'Deployment',
    metadata: {
      name: 'kube-ovn-controller',
      namespace: 'kube-system',
      labels: { app: 'kube-ovn-controller' },
    },
    spec: {
      replicas: 1,
      template: {
        metadata: { labels: { app: 'kube-ovn-controller' } },
        spec: {
          containers: [
            {
              name: 'kube-ovn-controller',
              image: `kubeovn/kube-ovn:${release.version}`,
              args: ['--enable-external-vpc=true'],
            },
          ],
        },
      },
    },
  });
  cluster.put({
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: ATTACHMENT, namespace: 'shop' },
    spec: { config: JSON.stringify({ type: 'kube-ovn', provider: `${ATTACHMENT}.shop.ovn` }) },
  });
  cluster.write(
    ...add('NB_Global', random.uuid(), { name: '' }),
    ...add('Logical_Router', random.uuid(), { name: ROUTER, external_ids: ours() }),
  );
}

/** A Subnet, its switch and its way to the router. */
function subnet(cluster: Cluster, name: string): void {
  const { random, release } = cluster;
  const provider = name === ATTACHMENT ? `${ATTACHMENT}.shop.ovn` : 'ovn';
  const gateway = addressIn(name, 1);
  const using = name === JOIN ? NODES.length : 0;
  cluster.put({
    kind: 'Subnet',
    metadata: { name, finalizers: [release.finalizer] },
    spec: {
      vpc: ROUTER,
      cidrBlock: `${BLOCKS[name]}.0/24`,
      gateway,
      excludeIps: [gateway],
      protocol: 'IPv4',
      provider,
      default: name === 'ovn-default',
      gatewayType: 'distributed',
      natOutgoing: true,
      private: false,
      enableLb: true,
      namespaces: NAMESPACES.filter((it) => SUBNET_OF[it] === name),
    },
    status: {
      conditions: ['Validated', 'Ready'].map((type) => ({
        type,
        status: 'True',
        reason: 'ResetLogicalSwitchAclSuccess',
      })),
      v4usingIPs: using,
      v4availableIPs: 253 - using,
      v6usingIPs: 0,
      v6availableIPs: 0,
    },
  });
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const holder = random.uuid();
  cluster.write(
    ...add('Logical_Switch', holder, { name, external_ids: ours() }),
    ...add('Logical_Switch_Port', random.uuid(), switchPort(ROUTER, name), {
      table: 'Logical_Switch',
      uuid: holder,
      column: 'ports',
    }),
    ...add(
      'Logical_Router_Port',
      random.uuid(),
      routerPort(ROUTER, name, macOf(cluster), `${gateway}/24`),
      { table: 'Logical_Router', uuid: router, column: 'ports' },
    ),
    ...add(
      'Logical_Router_Policy',
      random.uuid(),
      {
        priority: 31000,
        match: `ip4.dst == ${BLOCKS[name]}.0/24`,
        action: 'allow',
        external_ids: ours({ subnet: name }),
      },
      { table: 'Logical_Router', uuid: router, column: 'policies' },
    ),
  );
}

/** A node with its port and its record. */
function node(cluster: Cluster, name: string, nth: number): void {
  const { random, release } = cluster;
  const address = { mac: macOf(cluster), ips: [addressIn(JOIN, 2 + nth)] };
  cluster.put({
    kind: 'Node',
    metadata: { name, annotations: annotationsOf(address, JOIN) },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const ip = cluster.put({
    kind: 'IP',
    metadata: {
      name: `node-${name}`,
      finalizers: [release.finalizer],
      labels: { 'ovn.kubernetes.io/subnet': JOIN },
    },
    spec: {
      podName: name,
      nodeName: name,
      namespace: '',
      podType: '',
      subnet: JOIN,
      ipAddress: address.ips[0],
      v4IpAddress: address.ips[0],
      v6IpAddress: '',
      macAddress: address.mac,
    },
  });
  const [holder] = rowNamed(cluster, 'Logical_Switch', JOIN)!;
  const uid = random.uuid();
  cluster.write(
    ...add(
      'Logical_Switch_Port',
      uid,
      {
        name: `node-${name}`,
        addresses: portAddress(address),
        up: true,
        external_ids: ours({ ls: JOIN }),
      },
      { table: 'Logical_Switch', uuid: holder, column: 'ports' },
    ),
  );
  const owners = [{ kind: 'Node', name }];
  const addresses = [`${JOIN} ${address.ips[0]}`];
  cluster.labels.set({
    kind: 'Logical_Switch_Port',
    uid,
    name: `node-${name}`,
    by: 'kube-ovn',
    owners,
    addresses,
  });
  cluster.labels.set({
    kind: 'IP',
    uid: ip.metadata.uid,
    name: `node-${name}`,
    by: 'kube-ovn',
    owners,
    addresses,
  });
}

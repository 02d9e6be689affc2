import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import type { Operation } from '@ovn-steward/ovsdb';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import {
  type Address,
  annotationsOf,
  drawAddress,
  portAddress,
} from '@ovn-steward/systems/testing/kube-ovn/addresses';
import type { Controller } from './controller';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';
import type { SchemaView } from './schema-view';

/** The two systems of one episode, and what everybody in it knows by name. */
export interface Cluster {
  readonly northbound: MemoryNorthbound;
  readonly kubernetes: MemoryKubernetes;
  readonly random: Random;
  /** Kube-OVN's own, by its Lease. */
  readonly controller: Controller;
  /** What the Northbound's servers show of it. */
  readonly shown: { view: SchemaView };
  /** Of each subnet, for the whole episode. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** A transaction of anybody but the executor. Whether it was committed. */
  write(...operations: readonly Operation[]): boolean;
}

export const NAMESPACES = ['shop', 'batch'] as const;
export const SUBNETS = ['apps', 'data', 'lan'] as const;
/** Address families, as a Subnet's `spec.protocol` names them. */
export type Protocol = 'IPv4' | 'IPv6' | 'Dual';
/** Pods of the cluster itself, which stay: they distinguish one cluster from another. */
export const STEADY: readonly string[] = Array.from({ length: 22 }, (_, nth) => `dns-x7k2-${nth}`);
export const JOIN = 'join';
/** The attachment of pods' second interface, and the subnet it is of. */
export const ATTACHMENT = { provider: 'lan.shop.ovn', subnet: 'lan' } as const;
export const NODES = ['worker-1', 'worker-2'] as const;
export const PODS = ['web-0', 'web-1', 'job-a', 'job-b', 'db-0'] as const;
export const POLICIES = ['deny', 'allow'] as const;
export const GROUPS = ['db', 'front'] as const;
export const SERVICES = [
  ['web', '10.96.0.11', 80],
  ['api', '10.96.0.12', 443],
] as const;
export const ROUTER = 'ovn-cluster';
/** The namespace whose pods are to be in one subnet, by its annotation. */
export const BOUND = { namespace: 'batch', subnet: 'data' } as const;
/** A VPC of somebody's, and the egress gateway of one. */
export const TENANT = 'tenant';
export const GATEWAY = 'shop/gw';
export const FINALIZER = 'kubeovn.io/kube-ovn-controller';
export const BALANCER = 'cluster-tcp-loadbalancer';

type Row = Readonly<Record<string, unknown>>;

export const rowsOf = (
  { northbound }: Pick<Cluster, 'northbound'>,
  table: string,
): [string, Row][] => [...northbound.database.rows(table)];
export const named = (
  cluster: Pick<Cluster, 'northbound'>,
  table: string,
  name: string,
): string | undefined => rowsOf(cluster, table).find(([, row]) => row['name'] === name)?.[0];
export const has = (
  { kubernetes }: Pick<Cluster, 'kubernetes'>,
  kind: string,
  name: string,
  namespace?: string,
): boolean =>
  kubernetes
    .objects(kind)
    .some((it) => it.metadata.name === name && it.metadata.namespace === namespace);

const numberOf = (subnet: string): number => 16 + SUBNETS.indexOf(subnet as never);

/** The Subnet as it is made; `write` its switch and what leads there apart. */
export function putSubnet({ kubernetes, protocols }: Cluster, name: string): void {
  const nth = numberOf(name);
  const protocol = protocols[name]!;
  const blocks = [`10.${nth}.0.0/16`, `fd00:${nth}::/112`];
  kubernetes.put({
    kind: 'Subnet',
    metadata: { name },
    spec: {
      vpc: ROUTER,
      cidrBlock: (protocol === 'IPv4'
        ? blocks.slice(0, 1)
        : protocol === 'IPv6'
          ? blocks.slice(1)
          : blocks
      ).join(','),
      protocol,
      provider: name === ATTACHMENT.subnet ? ATTACHMENT.provider : 'ovn',
    },
    status: {
      v4usingIPs: 100,
      v6usingIPs: 100,
      v4availableIPs: 60_000,
      v6availableIPs: 60_000,
      conditions: ['Validated', 'Ready'].map((type) => ({ type, status: 'True' })),
    },
  });
}

/** One of that subnet's, in the families it has. */
export const addressOf = ({ random, protocols }: Cluster, subnet: string): Address =>
  drawAddress(random, numberOf(subnet), protocols[subnet] ?? 'IPv4');

/** A node with its port in the join network, and the same address recorded on both. */
export function putNode(cluster: Cluster, name: string): void {
  const { kubernetes, random, write } = cluster;
  const holder = named(cluster, 'Logical_Switch', JOIN);
  const port = named(cluster, 'Logical_Switch_Port', `node-${name}`);
  const known = port === undefined ? undefined : portOf(cluster, port);
  const address = known ?? drawAddress(random, 64);
  kubernetes.put({ kind: 'Node', metadata: { name, annotations: annotationsOf(address, JOIN) } });
  if (known === undefined && holder !== undefined)
    write(
      ...add(
        'Logical_Switch_Port',
        random.uuid(),
        {
          name: `node-${name}`,
          addresses: portAddress(address),
          up: random.chance(0.5),
          external_ids: ours({ ls: JOIN }),
        },
        { table: 'Logical_Switch', uuid: holder, column: 'ports' },
      ),
    );
}

/** What the port has for an address. */
export function portOf(cluster: Cluster, uuid: string): Address | undefined {
  const row = cluster.northbound.database.rows('Logical_Switch_Port').get(uuid);
  const [mac, ...ips] = String(row?.['addresses']).split(' ');
  return mac === undefined || ips.length === 0 ? undefined : { mac, ips };
}

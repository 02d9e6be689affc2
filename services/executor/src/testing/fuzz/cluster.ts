import {
  type DatabaseSchema,
  type Json,
  type JsonRow,
  operation as op,
  type Operation,
  readDatabaseFile,
} from '@ovn-steward/ovsdb';
import { type MemoryKubernetes, memoryKubernetes } from '../memory-kubernetes';
import { type MemoryNorthbound, memoryNorthbound } from '../memory-northbound';
import { recordedFile } from '../recorded-northbound';
import type { Random } from './random';

/** The two systems of one episode, and what everybody in it knows by name. */
export interface Cluster {
  readonly northbound: MemoryNorthbound;
  readonly kubernetes: MemoryKubernetes;
  readonly random: Random;
  /** A transaction of anybody but the executor. Whether it was committed. */
  write(...operations: readonly Operation[]): boolean;
}

export const NAMESPACES = ['shop', 'batch'] as const;
export const SUBNETS = ['apps', 'data'] as const;
export const NODES = ['worker-1', 'worker-2'] as const;
export const PODS = ['web-0', 'web-1', 'job-a', 'job-b', 'db-0'] as const;
export const POLICIES = ['deny', 'allow'] as const;
export const GROUPS = ['db', 'front'] as const;
export const SERVICES = [
  ['web', '10.96.0.11', 80],
  ['api', '10.96.0.12', 443],
] as const;
export const ROUTER = 'ovn-cluster';
export const BALANCER = 'cluster-tcp-loadbalancer';

let schema: Promise<DatabaseSchema> | undefined;
const recordedSchema = (): Promise<DatabaseSchema> =>
  (schema ??= readDatabaseFile(recordedFile('leaky')).then((it) => it.schema));

/** Kube-OVN's tag and these keys. */
export const ours = (ids: Readonly<Record<string, string>> = {}): Json =>
  op.map(Object.entries({ vendor: 'kube-ovn', ...ids }));

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

/** A row and, unless it is a root, the column of the row that holds it. */
export const add = (
  table: string,
  uuid: string,
  row: JsonRow,
  holder?: { readonly table: string; readonly uuid: string; readonly column: string },
): Operation[] => [
  op.insert(table, row, uuid),
  ...(holder
    ? [op.mutate(holder.table, op.byUuid(holder.uuid), [[holder.column, 'insert', op.uuid(uuid)]])]
    : []),
];

/**
 * A small cluster that Kube-OVN, Neutron and somebody unknown share: all of Kube-OVN's owners are there, and what each of them has. Half of what
 * could leak is left to the others to make leak.
 */
export async function createCluster(random: Random): Promise<Cluster> {
  const northbound = memoryNorthbound({ schema: await recordedSchema() });
  const kubernetes = memoryKubernetes();
  const cluster: Cluster = {
    northbound,
    kubernetes,
    random,
    write: (...operations) => northbound.database.transact(operations).ok,
  };
  ground(cluster);
  foreign(cluster);
  return cluster;
}

function ground({ kubernetes, random, write }: Cluster): void {
  for (const name of NAMESPACES) kubernetes.put({ kind: 'Namespace', metadata: { name } });
  for (const name of NODES) kubernetes.put({ kind: 'Node', metadata: { name } });
  kubernetes.put({
    kind: 'Vpc',
    metadata: { name: ROUTER },
    spec: {},
    status: { default: true, router: ROUTER, tcpLoadBalancer: BALANCER, subnets: [...SUBNETS] },
  });
  const router = random.uuid();
  write(
    ...add('NB_Global', random.uuid(), { name: '' }),
    ...add('Logical_Router', router, { name: ROUTER, external_ids: ours() }),
    ...add('Load_Balancer', random.uuid(), {
      name: BALANCER,
      protocol: 'tcp',
      options: op.map([['prefer_local_backend', 'false']]),
      external_ids: ours(),
    }),
  );
  for (const [nth, name] of SUBNETS.entries()) {
    kubernetes.put({
      kind: 'Subnet',
      metadata: { name },
      spec: { vpc: ROUTER, cidrBlock: `10.${16 + nth}.0.0/16`, protocol: 'IPv4', provider: 'ovn' },
      status: { v4usingIPs: 100 },
    });
    const holder = random.uuid();
    write(
      ...add('Logical_Switch', holder, { name, external_ids: ours() }),
      ...add(
        'Logical_Switch_Port',
        random.uuid(),
        {
          name: `${name}-${ROUTER}`,
          type: 'router',
          addresses: 'router',
          options: op.map([['router-port', `${ROUTER}-${name}`]]),
          external_ids: ours({ ls: name }),
        },
        { table: 'Logical_Switch', uuid: holder, column: 'ports' },
      ),
      ...add(
        'Logical_Router_Port',
        random.uuid(),
        {
          name: `${ROUTER}-${name}`,
          mac: `0a:58:00:00:${nth}0:01`,
          networks: `10.${16 + nth}.0.1/16`,
          external_ids: ours({ lr: ROUTER }),
        },
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
}

/** Rows of others, which nothing may ever happen to. */
function foreign({ random, write }: Cluster): void {
  const neutron = (ids: Readonly<Record<string, string>>): Json =>
    op.map(Object.entries(ids).map(([key, value]) => [`neutron:${key}`, value] as const));
  const [net, port, group, hand] = [random.uuid(), random.uuid(), random.uuid(), random.uuid()];
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

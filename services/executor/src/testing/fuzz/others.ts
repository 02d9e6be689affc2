import { operation as op } from '@ovn-steward/ovsdb';
import type { KubernetesObject } from '../../kubernetes/kubernetes';
import {
  add,
  BALANCER,
  type Cluster,
  GROUPS,
  has,
  NAMESPACES,
  named,
  NODES,
  ours,
  PODS,
  POLICIES,
  ROUTER,
  rowsOf,
  SERVICES,
  SUBNETS,
} from './cluster';
import { reasonToKeep } from './oracle';

/** What anybody but the executor may do, at any moment. Each is drawn by its weight. */
type Move = (cluster: Cluster) => void;

const address = ({ random }: Cluster): string => `10.16.${random.int(250)}.${2 + random.int(250)}`;
const byte = ({ random }: Cluster): string => random.int(256).toString(16).padStart(2, '0');
/** A port's, of which no two are alike. */
const addresses = (cluster: Cluster): string =>
  `0a:58:${byte(cluster)}:${byte(cluster)}:${byte(cluster)}:${byte(cluster)} ${address(cluster)}`;
const APPS = ['web', 'db'] as const;
const REMOVABLE = [
  'Logical_Switch_Port',
  'Port_Group',
  'Address_Set',
  'Logical_Router_Policy',
  'DHCP_Options',
  'Load_Balancer',
  'Logical_Router_Port',
  'ACL',
] as const;

const createPod: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  const [namespace, name, subnet] = [
    random.pick(NAMESPACES),
    random.pick(PODS),
    random.pick(SUBNETS),
  ];
  const owner = random.chance(0.2) ? 'VirtualMachine' : 'Pod';
  if (random.chance(0.85))
    kubernetes.put({
      kind: owner,
      metadata: { name, namespace, labels: { app: random.pick(APPS) } },
      spec: {},
    });
  if (random.chance(0.5)) createIp(cluster, namespace, name, subnet);
  if (random.chance(0.9)) createPort(cluster, namespace, name, subnet);
};

function createIp(cluster: Cluster, namespace: string, podName: string, subnet: string): void {
  const { kubernetes, random } = cluster;
  const name = `${podName}.${namespace}`;
  if (has(cluster, 'IP', name)) return;
  kubernetes.put({
    kind: 'IP',
    metadata: {
      name,
      labels: {
        'ovn.kubernetes.io/ip_reserved': random.chance(0.1) ? 'true' : 'false',
        'ovn.kubernetes.io/subnet': subnet,
      },
      finalizers: ['kubeovn.io/kube-ovn-controller'],
    },
    spec: {
      namespace,
      podName,
      podType: '',
      nodeName: 'worker-1',
      subnet,
      ipAddress: address(cluster),
      v4IpAddress: '',
      v6IpAddress: '',
    },
  });
}

function createPort(cluster: Cluster, namespace: string, podName: string, subnet: string): void {
  const holder = named(cluster, 'Logical_Switch', subnet);
  if (holder === undefined) return;
  cluster.write(
    ...add(
      'Logical_Switch_Port',
      cluster.random.uuid(),
      {
        name: `${podName}.${namespace}`,
        addresses: addresses(cluster),
        ...(cluster.random.chance(0.15) ? { up: true } : {}),
        external_ids: ours({ ls: subnet, pod: `${namespace}/${podName}` }),
      },
      { table: 'Logical_Switch', uuid: holder, column: 'ports' },
    ),
  );
}

const podPorts = (cluster: Cluster): string[] =>
  rowsOf(cluster, 'Logical_Switch_Port')
    .filter(
      ([, row]) => row['type'] === '' && JSON.stringify(row['external_ids']).includes('"kube-ovn"'),
    )
    .map(([uuid]) => uuid);

/** The owner goes and what was made for it stays, as when a watch event is missed. */
const loseOwner: Move = ({ kubernetes, random }) => {
  const kind = random.pick([
    'Pod',
    'Pod',
    'VirtualMachine',
    'NetworkPolicy',
    'SecurityGroup',
    'Service',
  ]);
  const it = random.maybe(kubernetes.objects(kind));
  if (it) kubernetes.remove(kind, it.metadata.namespace, it.metadata.name);
};

/** Kube-OVN's own collection, or the controller's finishing of an IP: it removes what is garbage, too. */
const collect: Move = (cluster) => {
  const uuid = cluster.random.maybe(
    podPorts(cluster).filter(
      (it) =>
        reasonToKeep(cluster, {
          source: 'ovn-nb',
          kind: 'Logical_Switch_Port',
          uid: it,
          name: '',
        }) === undefined,
    ),
  );
  if (uuid !== undefined) dropPort(cluster, uuid);
};

function dropPort(cluster: Cluster, uuid: string): void {
  for (const [holder, row] of rowsOf(cluster, 'Logical_Switch'))
    if (JSON.stringify(row['ports']).includes(uuid))
      cluster.write(
        op.mutate('Logical_Switch', op.byUuid(holder), [['ports', 'delete', op.uuid(uuid)]]),
      );
}

/** The controller sees that an IP object is to go: it removes the port, then the finalizer. */
const finish: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  const it = random.maybe(
    kubernetes.objects('IP').filter((each) => each.metadata.deletionTimestamp !== undefined),
  );
  if (!it) return;
  const port = named(cluster, 'Logical_Switch_Port', it.metadata.name);
  if (port !== undefined && random.chance(0.8)) dropPort(cluster, port);
  if (random.chance(0.8)) kubernetes.remove('IP', undefined, it.metadata.name);
};

/** The same name again, as another row or object. */
const remake: Move = (cluster) => {
  const { kubernetes, random } = cluster;
  if (random.chance(0.3)) {
    const it = random.maybe(kubernetes.objects(random.pick(['Pod', 'IP', 'NetworkPolicy'])));
    if (it)
      kubernetes.put({
        ...it,
        metadata: { ...it.metadata, uid: random.uuid() },
      } as unknown as Parameters<typeof kubernetes.put>[0]);
    return;
  }
  const uuid = random.maybe(podPorts(cluster));
  const [, row] = rowsOf(cluster, 'Logical_Switch_Port').find(([it]) => it === uuid) ?? [];
  const holder =
    row &&
    rowsOf(cluster, 'Logical_Switch').find(([, it]) =>
      JSON.stringify(it['ports']).includes(uuid!),
    )?.[0];
  if (!row || holder === undefined) return;
  dropPort(cluster, uuid!);
  cluster.write(
    ...add('Logical_Switch_Port', random.uuid(), row as never, {
      table: 'Logical_Switch',
      uuid: holder,
      column: 'ports',
    }),
  );
};

const change: Move = (cluster) => {
  const { random, write } = cluster;
  const table = random.pick(REMOVABLE);
  const [uuid] = random.maybe(rowsOf(cluster, table)) ?? [];
  if (uuid === undefined) return;
  const key = random.pick(['neutron:port_id', 'someone', 'ovn-steward.dev/protect', 'octavia:x']);
  switch (random.int(5)) {
    case 0:
      write(op.mutate(table, op.byUuid(uuid), [['external_ids', 'insert', op.map([[key, 'x']])]]));
      break;
    case 1:
      write(
        op.mutate(table, op.byUuid(uuid), [
          [
            'external_ids',
            'delete',
            op.set(['neutron:port_id', 'someone', 'ovn-steward.dev/protect', 'octavia:x']),
          ],
        ]),
      );
      break;
    case 2:
      if (table === 'Logical_Switch_Port')
        write(op.update(table, op.byUuid(uuid), { up: random.chance(0.3) }));
      break;
    case 3:
      if (table === 'Logical_Switch_Port')
        write(op.update(table, op.byUuid(uuid), { addresses: addresses(cluster) }));
      break;
    case 4:
      if (table === 'Address_Set')
        write(op.update(table, op.byUuid(uuid), { addresses: address(cluster) }));
      break;
  }
};

/** A group lists a port, or lets it go; now and then the group is Neutron's or by hand. */
const group: Move = (cluster) => {
  const { random, write } = cluster;
  const [uuid] = random.maybe(rowsOf(cluster, 'Port_Group')) ?? [];
  const port = random.maybe(podPorts(cluster));
  if (uuid !== undefined && port !== undefined)
    write(
      op.mutate('Port_Group', op.byUuid(uuid), [
        ['ports', random.chance(0.5) ? 'insert' : 'delete', op.uuid(port)],
      ]),
    );
};

const createPolicy: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const [namespace, name] = [random.pick(NAMESPACES), random.pick(POLICIES)];
  if (random.chance(0.7))
    kubernetes.put({
      kind: 'NetworkPolicy',
      metadata: { name, namespace },
      spec: {
        podSelector: random.chance(0.3) ? {} : { matchLabels: { app: random.pick(APPS) } },
        policyTypes: ['Ingress'],
      },
    });
  const pg = `${name}.${namespace}`;
  const set = `${pg}.ingress.allow.IPv4.all`;
  const uuid = random.uuid();
  if (random.chance(0.8))
    write(
      ...add('Address_Set', random.uuid(), {
        name: set,
        addresses: address(cluster),
        external_ids: ours({ np: `${namespace}/${name}/ingress` }),
      }),
    );
  if (random.chance(0.8)) {
    const acl = random.uuid();
    write(
      ...add('Port_Group', uuid, { name: pg, external_ids: ours({ np: `${namespace}/${name}` }) }),
      ...add(
        'ACL',
        acl,
        {
          direction: 'to-lport',
          priority: 2001,
          match: `outport == @${pg} && ip4.src == $${set}`,
          action: 'allow-related',
          external_ids: ours({ parent: pg }),
        },
        { table: 'Port_Group', uuid, column: 'acls' },
      ),
    );
  }
};

const createGroup: Move = ({ kubernetes, random, write }) => {
  const sg = random.pick(GROUPS);
  if (random.chance(0.7))
    kubernetes.put({ kind: 'SecurityGroup', metadata: { name: sg }, spec: {} });
  if (random.chance(0.8))
    write(
      ...add('Port_Group', random.uuid(), {
        name: `ovn.sg.${sg}`,
        external_ids: ours({ type: 'security_group', sg }),
      }),
    );
};

const createService: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const [name, ip, port] = random.pick(SERVICES);
  if (random.chance(0.6))
    kubernetes.put({
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { clusterIP: ip, clusterIPs: [ip], ports: [{ port, protocol: 'TCP' }] },
    });
  const balancer = named(cluster, 'Load_Balancer', BALANCER);
  if (balancer !== undefined && random.chance(0.8))
    write(
      op.mutate('Load_Balancer', op.byUuid(balancer), [
        ['vips', 'insert', op.map([[`${ip}:${port}`, `${address(cluster)}:8080`]])],
      ]),
    );
};

const nodes: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const name = random.pick(NODES);
  if (has(cluster, 'Node', name)) {
    if (random.chance(0.5)) kubernetes.remove('Node', undefined, name);
  } else kubernetes.put({ kind: 'Node', metadata: { name } });
  const router = named(cluster, 'Logical_Router', ROUTER);
  if (router !== undefined && random.chance(0.5))
    write(
      ...add(
        'Logical_Router_Policy',
        random.uuid(),
        {
          priority: 30000,
          match: `ip4.dst == 192.168.0.${1 + NODES.indexOf(name)}`,
          action: 'allow',
          external_ids: ours({ node: name, 'address-family': '4' }),
        },
        { table: 'Logical_Router', uuid: router, column: 'policies' },
      ),
    );
};

/** A subnet goes by force, and its switch with it or not; or it is there again. */
const subnets: Move = (cluster) => {
  const { kubernetes, random, write } = cluster;
  const name = random.pick(SUBNETS);
  if (!has(cluster, 'Subnet', name)) {
    kubernetes.put({
      kind: 'Subnet',
      metadata: { name },
      spec: { vpc: ROUTER, cidrBlock: '10.16.0.0/16', protocol: 'IPv4', provider: 'ovn' },
      status: { v4usingIPs: 100 },
    });
    if (named(cluster, 'Logical_Switch', name) === undefined)
      write(...add('Logical_Switch', random.uuid(), { name, external_ids: ours() }));
  } else if (random.chance(0.3)) {
    kubernetes.remove('Subnet', undefined, name);
    const uuid = named(cluster, 'Logical_Switch', name);
    if (uuid !== undefined && random.chance(0.7))
      write(op.remove('Logical_Switch', op.byUuid(uuid)));
  }
};

const marks: Move = ({ kubernetes, random }) => {
  const it = random.maybe(kubernetes.objects('IP'));
  if (!it) return;
  const put = (metadata: object): void =>
    void kubernetes.put({
      ...it,
      metadata: { ...it.metadata, ...metadata },
    } as unknown as Parameters<typeof kubernetes.put>[0]);
  const labels = it.metadata['labels'] as Record<string, string> | undefined;
  switch (random.int(4)) {
    case 0:
      put({ annotations: { 'ovn-steward.dev/protect': 'mine' } });
      break;
    case 1:
      put({ annotations: {} });
      break;
    case 2:
      put({
        labels: {
          ...labels,
          'ovn.kubernetes.io/ip_reserved': random.chance(0.5) ? 'true' : 'false',
        },
      });
      break;
    case 3:
      if (it.metadata.deletionTimestamp === undefined && random.chance(0.4))
        put({ deletionTimestamp: '2026-01-02T00:00:00Z' });
      break;
  }
};

/** A pod gets another label, or a policy takes other pods; the controller that would mend the groups is not there. */
const relabel: Move = ({ kubernetes, random }) => {
  const app = random.pick(APPS);
  const it = random.maybe(kubernetes.objects(random.chance(0.6) ? 'Pod' : 'NetworkPolicy'));
  if (it)
    kubernetes.put(
      (it.kind === 'Pod'
        ? { ...it, metadata: { ...it.metadata, labels: { app } } }
        : {
            ...it,
            spec: { podSelector: { matchLabels: { app } }, policyTypes: ['Ingress'] },
          }) as unknown as Parameters<typeof kubernetes.put>[0],
    );
};

const scale: Move = ({ kubernetes, random }) => {
  const [name, namespace] = [random.pick(['web', 'db']), random.pick(NAMESPACES)];
  const it: KubernetesObject | undefined = kubernetes
    .objects('StatefulSet')
    .find((each) => each.metadata.name === name && each.metadata.namespace === namespace);
  if (it && random.chance(0.4)) kubernetes.remove('StatefulSet', namespace, name);
  else
    kubernetes.put({
      kind: 'StatefulSet',
      metadata: { name, namespace },
      spec: { replicas: random.int(3) },
    });
};

const MOVES: readonly (readonly [weight: number, move: Move])[] = [
  [14, createPod],
  [12, loseOwner],
  [4, collect],
  [4, finish],
  [4, remake],
  [8, change],
  [8, group],
  [4, relabel],
  [6, createPolicy],
  [4, createGroup],
  [5, createService],
  [2, nodes],
  [2, subnets],
  [3, marks],
  [2, scale],
];
const BAG: readonly Move[] = MOVES.flatMap(([weight, move]) =>
  Array.from({ length: weight }, () => move),
);

/** One move of somebody else, drawn. */
export const others = (cluster: Cluster): void => cluster.random.pick(BAG)(cluster);

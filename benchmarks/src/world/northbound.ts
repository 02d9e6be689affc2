import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DatabaseSchema, defaultOf, encode, readDatabaseFile } from '@ovn-steward/ovsdb';
import { grouped } from '@ovn-steward/shared/grouped';
import { JOIN, nodeName, portUuid, type NicPlan, type Plan, type SubnetPlan } from './plan';

type Json = unknown;
type Columns = Readonly<Record<string, Json>>;
type Row = readonly [uuid: string, columns: Columns];
type Tables = readonly (readonly [table: string, rows: () => Iterable<Row>])[];

const ROUTER = 'ovn-cluster';
/** The services there is an entry for, by their address. */
export type Vips = ReadonlyMap<string, string>;

const BALANCERS = ['tcp', 'tcp-session', 'udp', 'udp-session', 'sctp', 'sctp-session'] as const;

const set = (elements: readonly Json[]): Json =>
  elements.length === 1 ? elements[0] : ['set', elements];
const map = (entries: Readonly<Record<string, string>>): Json => ['map', Object.entries(entries)];
const ref = (uuid: string): Json => ['uuid', uuid];
const refs = (uuids: readonly string[]): Json => set(uuids.map(ref));
const ours = (keys: Readonly<Record<string, string>> = {}): Json =>
  map({ ...keys, vendor: 'kube-ovn' });
/** Names of port groups and address sets may not hold a dash. */
const flat = (name: string): string => name.replaceAll('-', '.');

interface Group {
  readonly name: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly members: readonly NicPlan[];
  /** ACL matches, by direction. */
  readonly acls: readonly {
    direction: 'to-lport' | 'from-lport';
    priority: number;
    action: string;
    match: string;
  }[];
}

/**
 * Every port group: per subnet and node, per node, per policy, and one of a policy that is gone.
 */
function groupsOf(plan: Plan): Group[] {
  const ports = plan.nics.filter((it) => it.has.port && it.namespace !== '');
  const onNode = grouped(ports, (it) => it.node);
  const inSubnet = grouped(ports, (it) => `${it.subnet.name} ${it.node}`);
  const inNamespace = grouped(ports, (it) => it.namespace);
  const nodes = Array.from({ length: plan.nodes }, (_, node) => node);
  const subnets = plan.subnets.filter((it) => it.name !== JOIN);
  return [
    ...subnets.flatMap(({ name }) =>
      nodes.map((node) => ({
        name: flat(`${name}.${nodeName(node)}`),
        keys: { node: nodeName(node), np: `${name}/${nodeName(node)}`, subnet: name },
        members: inSubnet.get(`${name} ${node}`) ?? [],
        acls: [],
      })),
    ),
    ...nodes.map((node) => ({
      name: flat(`node.${nodeName(node)}`),
      keys: { node: nodeName(node), np: `node/${nodeName(node)}` },
      members: onNode.get(node) ?? [],
      acls: [],
    })),
    ...[...inNamespace].map(([namespace, members]) =>
      policyGroup('default-deny', namespace, members),
    ),
    policyGroup('gone-policy', plan.subnets[0]!.namespaces[0]!, []),
  ];
}

function policyGroup(policy: string, namespace: string, members: readonly NicPlan[]): Group {
  const name = flat(`${policy}.${namespace}`);
  return {
    name,
    keys: { np: `${namespace}/${policy}` },
    members,
    acls: [
      { direction: 'to-lport', priority: 2000, action: 'drop', match: `outport == @${name} && ip` },
      {
        direction: 'from-lport',
        priority: 2000,
        action: 'drop',
        match: `inport == @${name} && ip`,
      },
      {
        direction: 'to-lport',
        priority: 2001,
        action: 'allow-related',
        match: `outport == @${name} && ip && ip4.src == $${name}.ingress.allow.IPv4.all && ip4.src != $${name}.ingress.except.IPv4.all`,
      },
      {
        direction: 'from-lport',
        priority: 2001,
        action: 'allow-related',
        match: `inport == @${name} && ip && ip4.dst == $${name}.egress.allow.IPv4.all && ip4.dst != $${name}.egress.except.IPv4.all`,
      },
    ],
  };
}

const policyOf = (group: Group): string | undefined =>
  group.acls.length > 0 ? group.keys['np'] : undefined;

interface NamedSet {
  readonly name: string;
  readonly np: string;
}

const addressSetsOf = (groups: readonly Group[]): NamedSet[] =>
  groups.flatMap((group) => {
    const np = policyOf(group);
    return np === undefined
      ? []
      : ['ingress', 'egress'].flatMap((way) =>
          ['allow', 'except'].map((what) => ({
            name: `${group.name}.${way}.${what}.IPv4.all`,
            np: `${np}/${way}`,
          })),
        );
  });

function* portRows(plan: Plan): Iterable<Row> {
  for (const nic of plan.nics) {
    if (!nic.has.port) continue;
    const pod = nic.namespace === '' ? {} : { pod: `${nic.namespace}/${nic.served}` };
    yield [
      portUuid(plan.ids, nic),
      {
        name: nic.name,
        addresses: `${plan.ids.mac(nic.number)} ${nic.address}`,
        up: nic.up,
        external_ids: ours({ ls: nic.subnet.name, ...pod }),
      },
    ];
  }
  for (const [number, { name }] of plan.subnets.entries()) {
    yield [
      plan.ids.uuid('router-port', number),
      {
        name: `${name}-${ROUTER}`,
        type: 'router',
        addresses: 'router',
        up: true,
        options: map({ 'router-port': `${ROUTER}-${name}` }),
        external_ids: ours({ ls: name }),
      },
    ];
  }
}

function* switchRows({ ids, nics, subnets }: Plan): Iterable<Row> {
  const ports = grouped(
    nics.filter((it) => it.has.port),
    (it) => it.subnet.name,
  );
  for (const [number, { name }] of subnets.entries()) {
    const held = [
      ids.uuid('router-port', number),
      ...(ports.get(name) ?? []).map((it) => portUuid(ids, it)),
    ];
    yield [
      ids.uuid('switch', number),
      {
        name,
        ports: refs(held),
        external_ids: ours(),
        ...(name === JOIN
          ? {}
          : { load_balancer: refs(BALANCERS.map((_, nth) => ids.uuid('balancer', nth))) }),
      },
    ];
  }
}

function* groupRows({ ids }: Plan, groups: readonly Group[]): Iterable<Row> {
  for (const [number, { name, keys, members, acls }] of groups.entries()) {
    yield [
      ids.uuid('group', number),
      {
        name,
        ports: refs(members.map((it) => portUuid(ids, it))),
        acls: refs(acls.map((_, nth) => ids.uuid('acl', number * 4 + nth))),
        external_ids: ours(keys),
      },
    ];
  }
}

function* aclRows({ ids }: Plan, groups: readonly Group[]): Iterable<Row> {
  for (const [number, group] of groups.entries()) {
    for (const [nth, { direction, priority, action, match }] of group.acls.entries()) {
      const options =
        direction === 'from-lport' ? { options: map({ 'apply-after-lb': 'true' }) } : {};
      yield [
        ids.uuid('acl', number * 4 + nth),
        {
          name: policyOf(group),
          direction,
          priority,
          action,
          match,
          tier: 2,
          external_ids: ours({ parent: group.name }),
          ...options,
        },
      ];
    }
  }
}

/** One for each subnet, and one for each subnet on each node. */
function* policyRows({ ids, subnets, nodes }: Plan): Iterable<Row> {
  let number = 0;
  for (const { name, prefix } of subnets) {
    yield [
      ids.uuid('policy', number++),
      {
        priority: 31000,
        action: 'allow',
        match: `ip4.dst == ${prefix}.0.0/16`,
        external_ids: ours({ subnet: name }),
      },
    ];
    for (let node = 0; name !== JOIN && node < nodes; node++) {
      yield [
        ids.uuid('policy', number++),
        {
          priority: 29000,
          action: 'reroute',
          match: `ip4.src == $${flat(`${name}.${nodeName(node)}`)}_ip4`,
          nexthops: nodeAddress(node),
          external_ids: ours({ node: nodeName(node), subnet: name }),
        },
      ];
    }
  }
}

export const nodeAddress = (node: number): string =>
  `100.64.${(node + 2) >> 8}.${(node + 2) & 255}`;

function tablesOf(plan: Plan, vips: Vips): Tables {
  const { ids, subnets, nodes } = plan;
  const groups = groupsOf(plan);
  const sets = addressSetsOf(groups);
  const policies = subnets.length + (subnets.length - 1) * nodes;
  for (const [number, group] of groups.entries())
    if (group.keys['np']?.endsWith('/gone-policy'))
      plan.planted.push({ rule: 'orphaned-port-group', uid: ids.uuid('group', number) });
  for (const [number, { np }] of sets.entries())
    if (np.includes('/gone-policy/'))
      plan.planted.push({ rule: 'orphaned-address-set', uid: ids.uuid('address-set', number) });
  const routerPort = ({ name, prefix }: SubnetPlan, number: number): Row => [
    ids.uuid('router', number + 1),
    {
      name: `${ROUTER}-${name}`,
      mac: ids.mac(2 ** 36 + number),
      networks: `${prefix}.0.1/16`,
      external_ids: ours({ lr: ROUTER }),
    },
  ];
  return [
    [
      'NB_Global',
      () => [
        [
          ids.uuid('global', 0),
          {
            options: map({
              northd_internal_version: '25.03.0-20.41.0-77.6',
              mac_prefix: '36:c0:93',
            }),
            external_ids: map({ 'kube-ovn-version': 'v1.17.0' }),
          },
        ],
      ],
    ],
    ['Logical_Switch', () => switchRows(plan)],
    ['Logical_Switch_Port', () => portRows(plan)],
    [
      'Logical_Router',
      () => [
        [
          ids.uuid('router', 0),
          {
            name: ROUTER,
            ports: refs(subnets.map((_, number) => ids.uuid('router', number + 1))),
            policies: refs(
              Array.from({ length: policies }, (_, number) => ids.uuid('policy', number)),
            ),
            external_ids: ours(),
          },
        ],
      ],
    ],
    ['Logical_Router_Port', () => subnets.map(routerPort)],
    ['Logical_Router_Policy', () => policyRows(plan)],
    ['Port_Group', () => groupRows(plan, groups)],
    ['ACL', () => aclRows(plan, groups)],
    [
      'Address_Set',
      () =>
        sets.map(({ name, np }, number): Row => [
          ids.uuid('address-set', number),
          { name, external_ids: ours({ np }) },
        ]),
    ],
    [
      'Load_Balancer',
      () =>
        BALANCERS.map((name, number): Row => [
          ids.uuid('balancer', number),
          {
            name: `cluster-${name}-loadbalancer`,
            protocol: name.split('-')[0],
            external_ids: ours(),
            options: map({
              prefer_local_backend: 'false',
              ...(name.includes('session') && { affinity_timeout: '10800' }),
            }),
            ...(name === 'tcp' && { vips: map(Object.fromEntries(vips)) }),
          },
        ]),
    ],
  ];
}

/** Every column, as `ovsdb-client backup` writes them. */
function* transactionText(schema: DatabaseSchema, tables: Tables): Iterable<string> {
  yield `{"_date":1795246710124,"_comment":"produced by \\"ovsdb-client backup\\""`;
  for (const [name, rows] of tables) {
    const columns = [...schema.tables.get(name)!.columns.values()].filter((it) => !it.ephemeral);
    const defaults = Object.fromEntries(columns.map((it) => [it.name, encode(it, defaultOf(it))]));
    let separator = `,${JSON.stringify(name)}:{`;
    for (const [uuid, row] of rows()) {
      yield `${separator}"${uuid}":${JSON.stringify({ ...defaults, ...row })}`;
      separator = ',';
    }
    yield '}';
  }
  yield '}\n';
}

/** Joins small texts: writing each by itself costs more than making it. */
function* pieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 1 << 18) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** A record's header says its length and hash, so the text is made twice rather than held. */
function* record(texts: () => Iterable<string>): Iterable<string> {
  const hash = createHash('sha1');
  let length = 0;
  for (const piece of pieces(texts())) {
    hash.update(piece);
    length += Buffer.byteLength(piece);
  }
  yield `OVSDB JSON ${length} ${hash.digest('hex')}\n`;
  yield* pieces(texts());
}

const SCHEMA_OF = join(__dirname, '..', '..', '..', 'examples', 'recordings', 'leaky', 'nb.db');

/** Writes the Northbound database of the plan as a backup; records what it planted. */
export async function writeNorthbound(path: string, plan: Plan, vips: Vips): Promise<void> {
  const { schema } = await readDatabaseFile(SCHEMA_OF);
  const tables = tablesOf(plan, vips);
  function* file(): Iterable<string> {
    yield* record(() => [`${JSON.stringify(schema.json)}\n`]);
    yield* record(() => transactionText(schema, tables));
  }
  await pipeline(Readable.from(file()), createWriteStream(path));
}

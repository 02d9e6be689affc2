import { type Condition, type DatabaseSchema, operation } from '@ovn-steward/ovsdb';
import {
  type GATEWAY_KEYS,
  GATEWAY_TABLES,
} from '@ovn-steward/judgement/relations/rows-by-gateway';
import { vpcOfSubnet } from '@ovn-steward/judgement/kube-ovn/vpc-of';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { rowNameOf, uuidOf } from '@ovn-steward/systems/northbound/stored-columns';

interface Place {
  readonly table: string;
  readonly where: readonly Condition[];
  /** Of the rows found only those whose name begins so. */
  readonly prefix?: string;
}

type Texts = Readonly<Record<string, string | undefined>>;

const named = (table: string, ...names: readonly string[]): Place[] =>
  names.map((name) => ({ table, where: [['name', '==', name]] }));
const keyed = (table: string, key: string, value: string): Place => ({
  table,
  where: [['external_ids', 'includes', operation.map([[key, value]])]],
});
const textsOf = (object: KubernetesObject, field: 'spec' | 'status'): Texts =>
  (object[field] ?? {}) as Texts;

/**
 * NATs by the external addresses the object was given, whatever they translate to: one of another
 * rule keeps it too, never the other way round.
 */
function nats(object: KubernetesObject, type: string): Place[] | undefined {
  const status = textsOf(object, 'status');
  const labels = (object.metadata['labels'] ?? {}) as Texts;
  const addresses = [
    status['v4Eip'],
    status['v6Eip'],
    labels['ovn.kubernetes.io/eip_v4_ip'],
    labels['ovn.kubernetes.io/eip_v6_ip'],
  ].filter((it): it is string => typeof it === 'string' && it !== '');
  const inner = [status['v4Ip'], status['v6Ip'], status['v4IpCidr'], status['v6IpCidr']].filter(
    (it): it is string => typeof it === 'string' && it !== '',
  );
  if (addresses.length === 0) return undefined;
  const any = [...new Set(addresses)].map((address): Condition[] => [
    ['external_ip', '==', address],
    ['type', '==', type],
  ]);
  return any.flatMap((where) =>
    inner.length === 0
      ? [{ table: 'NAT', where }]
      : inner.map((logical) => ({
          table: 'NAT',
          where: [...where, ['logical_ip', '==', logical] as Condition],
        })),
  );
}

/**
 * That of a Vip with a type has its namespace behind its name, and on an attached network more than
 * that: there it is known by its keys.
 */
function vipPorts(object: KubernetesObject, name: string): Place[] {
  const { type, namespace = '', subnet = '' } = textsOf(object, 'spec');
  if (!(type || textsOf(object, 'status')['type'])) return named('Logical_Switch_Port', name);
  const keys = operation.map([
    ['ls', subnet],
    ['pod', `${namespace}/${name}`],
  ]);
  const onSwitch = { ...keyed('Logical_Switch_Port', 'ls', subnet), prefix: `${name}.` };
  return [
    ...(namespace === '' ? [onSwitch] : []),
    ...named('Logical_Switch_Port', name, `${name}.${namespace}`),
    { table: 'Logical_Switch_Port', where: [['external_ids', 'includes', keys]] },
  ];
}

const ofGateway = (key: (typeof GATEWAY_KEYS)[number], value: string): Place[] =>
  GATEWAY_TABLES.map((table) => keyed(table, key, value));

/**
 * Where the Northbound may hold what the finalizer of each kind protects (kube-ovn.md §1): empty
 * for kinds that have nothing there, undefined where the object does not say enough to query.
 */
const PLACES: Readonly<
  Record<
    string,
    (object: KubernetesObject, name: string, namespace: string) => readonly Place[] | undefined
  >
> = {
  IP: (_, name) => named('Logical_Switch_Port', name),
  IPPool: (_, name) => [keyed('Address_Set', 'ippool', name)],
  IptablesDnatRule: () => [],
  IptablesEIP: () => [],
  IptablesFIPRule: () => [],
  IptablesSnatRule: () => [],
  OvnDnatRule: (_, name) => named('Load_Balancer', name),
  OvnEip: (_, name) => [
    ...named('Logical_Switch_Port', name),
    ...named('Logical_Router_Port', name),
  ],
  OvnFip: (object) => nats(object, 'dnat_and_snat'),
  OvnSnatRule: (object) => nats(object, 'snat'),
  QoSPolicy: () => [],
  Subnet: (object, name) => [
    ...named('Logical_Switch', name),
    ...named('Logical_Router_Port', `${vpcOfSubnet(textsOf(object, 'spec'))}-${name}`),
    keyed('Logical_Switch_Port', 'ls', name),
    keyed('DHCP_Options', 'ls', name),
    keyed('Logical_Router_Policy', 'subnet', name),
  ],
  Vip: vipPorts,
  VpcEgressGateway: (_, name, namespace) => ofGateway('vpc-egress-gateway', `${namespace}/${name}`),
  VpcNatGateway: (_, name) => ofGateway('vpc-nat-gateway', name),
  Vpc: (_, name) => named('Logical_Router', name),
};

/** Kinds whose places in the Northbound are known. */
export const KINDS_WITH_FINALIZER: readonly string[] = Object.keys(PLACES);

/**
 * What is left of the object in the Northbound, in words; `unknown` when the object does not say
 * enough to query.
 * @returns undefined when nothing is left.
 * @throws Failure when it cannot be read.
 */
export async function leftOf(
  kind: string,
  object: KubernetesObject,
  northbound: Northbound,
  signal: AbortSignal,
): Promise<{ readonly is: 'left' | 'unknown'; readonly text: string } | undefined> {
  const places = PLACES[kind]?.(object, object.metadata.name, object.metadata.namespace ?? '');
  if (places === undefined)
    return { is: 'unknown', text: 'it does not say which external address it was given' };
  if (places.length === 0) return undefined;
  const schema = await northbound.schema(signal);
  const there = places.filter((it) => schema.tables.has(it.table));
  const found = await selectRows(
    northbound,
    there.map(({ table, where }) => operation.select(table, where, columnsOf(schema, table))),
    signal,
  );
  const left = found.map((rows, nth) =>
    rows.find((row) => rowNameOf(row).startsWith(there[nth]!.prefix ?? '')),
  );
  const at = left.findIndex((row) => row !== undefined);
  const row = left[at];
  return row && { is: 'left', text: `${there[at]!.table} ${rowNameOf(row) || uuidOf(row)}` };
}

const columnsOf = (schema: DatabaseSchema, table: string): string[] =>
  schema.tables.get(table)!.columns.has('name') ? ['_uuid', 'name'] : ['_uuid'];

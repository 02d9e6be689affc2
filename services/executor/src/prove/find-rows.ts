import type { Entity } from '@ovn-steward/judgement/world/entity';
import { defineRelation, type Relation } from '@ovn-steward/judgement/world/relation';
import { portAddresses } from '@ovn-steward/judgement/relations/ports-by-address';
import { GATEWAY_TABLES } from '@ovn-steward/judgement/relations/rows-by-gateway';
import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { BulkCache } from './bulk-cache';
import { covers, members, parts } from './find-parts';
import { byName, weakly } from './find-referrers';
import { inTables, scanned } from './find-scanned';
import { type Finder, marked, MOST_ROWS, whereNamed, rowsOf, where } from './finder';
import type { LiveRows } from './live-rows';

/** Ports by address alone: the switch of a port is not in its row. */
const portsByAddressAlone = defineRelation({
  id: 'ports-by-address-alone',
  kinds: ['Logical_Switch_Port'],
  keys: portAddresses,
}) as Relation;

const portsByAddress: Finder = (key, _, { rows, cache }) =>
  scanned(key.slice(key.indexOf(' ') + 1), portsByAddressAlone, rows, cache, {
    table: 'Logical_Switch_Port',
    columns: ['addresses'],
  });

const balancersByVip: Finder = (key, relation, from) =>
  whereNamed('Load_Balancer')(key.slice(0, key.lastIndexOf(' ')), relation, from);

const byGateway = marked(GATEWAY_TABLES, (key) => [
  key.slice(0, key.indexOf(' ')),
  key.slice(key.indexOf(' ') + 1),
]);

const vipUsers = inTables(
  { table: 'Logical_Switch_Port', columns: ['options', 'external_ids'] },
  { table: 'Load_Balancer', columns: ['ip_port_mappings'] },
  { table: 'Logical_Router_Static_Route', columns: ['nexthop'] },
  { table: 'Logical_Router_Policy', columns: ['nexthop', 'nexthops'] },
);

const portsUp: Finder = async (_, relation, { rows }) => {
  const up = await rows.stored(
    'Logical_Switch_Port',
    [
      ['up', 'includes', true],
      ['external_ids', 'includes', operation.map([['vendor', 'kube-ovn']])],
    ],
    ['_uuid'],
  );
  if (up.length > MOST_ROWS)
    throw new Failure(
      'source-broken',
      `${up.length} ports are up, more than are read for one proof (${MOST_ROWS}) under ${relation.id}`,
    );
  return rowsOf(
    rows,
    'Logical_Switch_Port',
    up.map((it) => it.uuid),
  );
};

const itself: Finder = (uuid, relation, { rows }) =>
  rows.byUuid(uuid).then((all) => all.filter((it) => covers(relation, it.table)));

/** How the Northbound rows of each relation are found; a test holds it equal to the relations. */
export const FINDERS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ['acls-by-direction', parts],
  ['acls-by-holder', parts],
  ['acls-by-rule', parts],
  ['address-sets-by-pool', marked(['Address_Set'], (pool) => ['ippool', pool])],
  ['answered-vips', inTables({ table: 'Load_Balancer', columns: ['vips', 'protocol'] })],
  ['balancers-by-vip', balancersByVip],
  ['bearing-children', parts],
  ['chassis-by-router-port', parts],
  ['health-checks-by-holder', parts],
  [
    'health-checks-by-subnet',
    where('Load_Balancer_Health_Check', (subnet) => [
      'external_ids',
      'includes',
      operation.map([['switch_lb_subnet', subnet]]),
    ]),
  ],
  ['gateway-policies', inTables({ table: 'Logical_Router_Policy' })],
  ['group-marked-rows', inTables({ table: 'Port_Group' }, { table: 'Address_Set' })],
  ['host-routes', inTables({ table: 'Logical_Router_Static_Route' })],
  [
    'interface-ports',
    inTables({ table: 'Logical_Switch_Port', columns: ['name', 'external_ids'] }),
  ],
  ['keyless-balancers', inTables({ table: 'Load_Balancer' })],
  ['nats-by-address', inTables({ table: 'NAT', columns: ['external_ip', 'logical_ip'] })],
  ['policy-groups', itself],
  ['ports-by-address', portsByAddress],
  ['ports-by-group', members],
  [
    'ports-by-pod',
    where('Logical_Switch_Port', (key) => [
      'external_ids',
      'includes',
      operation.map([
        ['ls', key.slice(0, key.indexOf(' '))],
        ['pod', key.slice(key.indexOf(' ') + 1)],
      ]),
    ]),
  ],
  ['ports-by-switch', parts],
  ['ports-up', portsUp],
  ['protecting-children', parts],
  ['referrers-by-name', byName],
  ['referrers-by-uid', weakly],
  ['router-policies-by-rule', parts],
  ['router-ports-by-network', parts],
  ['routers-by-name', whereNamed('Logical_Router')],
  ['row-by-uid', itself],
  ['rows-by-gateway', byGateway],
  [
    'rows-by-subnet',
    marked(['Logical_Router_Policy', 'DHCP_Options'], (subnet, table) => [
      table === 'DHCP_Options' ? 'ls' : 'subnet',
      subnet,
    ]),
  ],
  ['sessions-up', inTables({ table: 'BFD' })],
  ['static-routes-by-hop', parts],
  ['switches-by-name', whereNamed('Logical_Switch')],
  ['vip-users', vipUsers],
]);

/**
 * The rows the relation finds under the key, each once.
 * @throws Failure when they cannot be read, or are too many.
 */
export async function relatedRows(
  relation: Relation,
  key: string,
  rows: LiveRows,
  cache: BulkCache,
): Promise<readonly Entity[]> {
  const finder = FINDERS.get(relation.id);
  if (!finder)
    throw new Failure(
      'source-broken',
      `this version does not know how to read ${relation.id} from a living database`,
    );
  const found = new Set((await finder(key, relation, { rows, cache })).map((it) => it.entity));
  return [...found].filter((it) => relation.keys(it).includes(key));
}

/** The rows of the table with this name. */
export async function rowsNamed(
  table: string,
  name: string,
  rows: LiveRows,
): Promise<readonly Entity[]> {
  if (name === '' || !rows.schema.tables.get(table)?.columns.has('name'))
    throw new Failure(
      'source-broken',
      `rows of ${table} are not found by the name ${JSON.stringify(name)}`,
    );
  const found = await rows.stored(table, [['name', 'includes', name]], ['_uuid']);
  const uuids = found.map((it) => it.uuid);
  return (await rowsOf(rows, table, uuids)).map((it) => it.entity).filter((it) => it.name === name);
}

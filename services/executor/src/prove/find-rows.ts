import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { PROTECTED_TABLES } from '@ovn-steward/judgement/ownership/protected-tables';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Relation } from '@ovn-steward/judgement/world/relation';
import { portAddresses } from '@ovn-steward/judgement/relations/ports-by-address';
import { GATEWAY_TABLES } from '@ovn-steward/judgement/relations/rows-by-gateway';
import { type Condition, operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import type { LiveRow, LiveRows, FetchedRow } from './live-rows';
import type { BulkCache } from './bulk-cache';
import { exactReferences, SCANNED } from './name-references';

/** More parts or members of one row than this are not read for a proof: nothing is then concluded about it. */
const MOST_PARTS = 5000;

/** Where to search for rows a relation may find under a key; the relation then verifies them. */
type Finder = (
  key: string,
  relation: Relation,
  from: { readonly rows: LiveRows; readonly cache: BulkCache },
) => Promise<readonly LiveRow[]>;

const some = <T>(list: readonly (T | undefined)[]): T[] =>
  list.filter((it): it is Awaited<T> & T => it !== undefined);

const rowsOf = async (rows: LiveRows, table: string, uuids: Iterable<string>): Promise<LiveRow[]> =>
  some(await Promise.all([...new Set(uuids)].map((uuid) => rows.row(table, uuid))));

const where =
  (table: string, condition: (key: string) => Condition): Finder =>
  async (key, _, { rows }) =>
    rowsOf(
      rows,
      table,
      (await rows.stored(table, [condition(key)], ['_uuid'])).map((it) => it.uuid),
    );

const named = (table: string): Finder => where(table, (name) => ['name', '==', name]);

/** A row as an entity, as far as a relation needs it without the row's holders. */
export function provisional(
  rows: LiveRows,
  row: FetchedRow,
  more: Readonly<Record<string, unknown>> = {},
): Entity {
  const object = {
    ...rowObject(row, (column) => rows.references.roleOf(row.table, column), [], []),
    ...more,
  };
  return {
    source: 'ovn-nb',
    stream: 'ovn-nb',
    kind: row.table,
    uid: row.uuid,
    name: rowName(row),
    object,
    hash: '',
  };
}

const covers = ({ kinds }: Relation, table: string): boolean =>
  kinds === 'ovn-nb' || kinds.includes(table);

/** Of the rows that another holds, those the relation finds; they are then read with holders. */
async function heldRows(
  held: readonly {
    readonly table: string;
    readonly uuid: string;
    readonly as: Readonly<Record<string, unknown>>;
  }[],
  key: string,
  relation: Relation,
  rows: LiveRows,
): Promise<LiveRow[]> {
  return some(
    await Promise.all(
      held.map(async ({ table, uuid, as }) => {
        const [row] = await rows.stored(table, operation.byUuid(uuid));
        return row && relation.keys(provisional(rows, row, as)).includes(key)
          ? rows.row(table, uuid)
          : undefined;
      }),
    ),
  );
}

function few<T>(held: readonly T[], holder: LiveRow): readonly T[] {
  if (held.length <= MOST_PARTS) return held;
  throw new Failure(
    'source-broken',
    `${holder.table} ${holder.entity.name || holder.uuid} holds ${held.length} rows, more than are read for one proof (${MOST_PARTS})`,
  );
}

/** The strong parts of the row, whatever its table, that the relation finds under the key, which begins with the row's uuid. */
const parts: Finder = async (key, relation, { rows }) => {
  const [uuid = ''] = key.split(' ');
  const each = await Promise.all(
    (await rows.byUuid(uuid)).map(async (holder) => {
      const columns = [...rows.schema.tables.get(holder.table)!.columns.values()];
      const held = await Promise.all(
        columns.map(async (column) => {
          const { backward } = rows.references.roleOf(holder.table, column);
          const tables =
            backward?.as === 'parents' ? backward.tables.filter((it) => covers(relation, it)) : [];
          if (tables.length === 0) return [];
          const uuids = await rows.heldBy(holder, column);
          return tables.flatMap((table) =>
            uuids.map((it) => ({
              table,
              uuid: it,
              as: { _parents: [{ kind: holder.table, uid: uuid, column: column.name }] },
            })),
          );
        }),
      );
      return heldRows(few(held.flat(), holder), key, relation, rows);
    }),
  );
  return each.flat();
};

/** Rows of tables nobody knows, any text of which may be a reference; such tables are read whole. */
const strangers = async (
  key: string,
  relation: Relation,
  { rows, cache }: Parameters<Finder>[2],
): Promise<LiveRow[]> => {
  const tables = [...rows.schema.tables.keys()].filter(
    (it) => !KNOWN_COLUMNS.has(it) && !PROTECTED_TABLES.has(it),
  );
  return (
    await Promise.all(tables.map((table) => scanned(key, relation, rows, cache, { table })))
  ).flat();
};

interface Scan {
  readonly table: string;
  readonly where?: readonly Condition[];
  /** All when undefined. */
  readonly columns?: readonly string[];
  /** The relation's own by default. */
  readonly keysOf?: (row: Entity) => readonly string[];
}

/** Scans columns of a table, shared by proofs of the same seconds; matches are read again. */
async function scanned(
  key: string,
  relation: Relation,
  rows: LiveRows,
  cache: BulkCache,
  { table, where: conditions = [], columns, keysOf }: Scan,
): Promise<LiveRow[]> {
  const index = await cache.share(
    JSON.stringify(['rows', relation.id, table, conditions, columns ?? null]),
    async () => {
      const byKey = new Map<string, string[]>();
      for (const row of await rows.stored(table, conditions, columns && ['_uuid', ...columns])) {
        const entity = provisional(rows, row);
        for (const key of new Set(keysOf ? keysOf(entity) : relation.keys(entity))) {
          const uuids = byKey.get(key);
          if (uuids) uuids.push(row.uuid);
          else byKey.set(key, [row.uuid]);
        }
      }
      return byKey;
    },
  );
  return rowsOf(rows, table, index.get(key) ?? []);
}

/** The ports that the group of this uuid lists, and the relation finds under it. */
const members: Finder = async (uuid, relation, { rows }) => {
  const each = await Promise.all(
    (await rows.byUuid(uuid)).map(async (group) => {
      const ports = rows.schema.tables.get(group.table)!.columns.get('ports');
      if (!ports || rows.references.roleOf(group.table, ports).backward?.as !== 'groups') return [];
      const listed = few(await rows.heldBy(group, ports), group).map((it) => ({
        table: 'Logical_Switch_Port',
        uuid: it,
        as: { _port_groups: [uuid] },
      }));
      return heldRows(listed, uuid, relation, rows);
    }),
  );
  return each.flat();
};

/** By columns that refer weakly to its table; of a group also ports that are not Kube-OVN's. */
const weakly: Finder = async (uuid, relation, from) => {
  const { rows } = from;
  const columns = (await rows.byUuid(uuid)).flatMap(({ table }) => rows.references.weakOf(table));
  const referring = columns.map(async (column) =>
    rowsOf(rows, column.table, await rows.referring(column, uuid)),
  );
  return (
    await Promise.all([
      members(uuid, relation, from),
      ...referring,
      strangers(uuid, relation, from),
    ])
  ).flat();
};

const byName: Finder = async (key, relation, from) => {
  const colon = key.indexOf(':');
  const [sort, name] = [key.slice(0, colon), key.slice(colon + 1)];
  const exact = exactReferences(sort, name).map(async ({ table, condition }) => {
    if (!from.rows.schema.tables.get(table)?.columns.has(condition[0])) return [];
    return rowsOf(
      from.rows,
      table,
      (await from.rows.stored(table, [condition], ['_uuid'])).map((it) => it.uuid),
    );
  });
  const scans = SCANNED.filter((it) => it.sorts.includes(sort)).map((it) =>
    scanned(key, relation, from.rows, from.cache, it),
  );
  return (await Promise.all([...exact, ...scans, strangers(key, relation, from)])).flat();
};

const portsByAddress: Finder = (key, relation, { rows, cache }) =>
  scanned(key.slice(key.indexOf(' ') + 1), relation, rows, cache, {
    table: 'Logical_Switch_Port',
    columns: ['addresses'],
    keysOf: (row) => portAddresses(row as Entity<'Logical_Switch_Port'>),
  });

const balancersByVip: Finder = (key, relation, from) =>
  named('Load_Balancer')(key.slice(0, key.lastIndexOf(' ')), relation, from);

/** By an entry of `external_ids`, in each of these tables that the database has. */
const marked =
  (
    tables: readonly string[],
    keyOf: (key: string, table: string) => readonly [string, string],
  ): Finder =>
  async (key, _, { rows }) =>
    (
      await Promise.all(
        tables
          .filter((it) => rows.schema.tables.has(it))
          .map(async (table) =>
            rowsOf(
              rows,
              table,
              (
                await rows.stored(
                  table,
                  [['external_ids', 'includes', operation.map([keyOf(key, table)])]],
                  ['_uuid'],
                )
              ).map((it) => it.uuid),
            ),
          ),
      )
    ).flat();

const byGateway = marked(GATEWAY_TABLES, (key) => [
  key.slice(0, key.indexOf(' ')),
  key.slice(key.indexOf(' ') + 1),
]);

const inTables =
  (...scans: readonly Scan[]): Finder =>
  async (key, relation, { rows, cache }) =>
    (await Promise.all(scans.map((it) => scanned(key, relation, rows, cache, it)))).flat();

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
  if (up.length > MOST_PARTS)
    throw new Failure(
      'source-broken',
      `${up.length} ports are up, more than are read for one proof (${MOST_PARTS}) under ${relation.id}`,
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
  ['keyless-balancers', inTables({ table: 'Load_Balancer' })],
  ['nats-by-address', inTables({ table: 'NAT', columns: ['external_ip', 'logical_ip'] })],
  ['policy-groups', itself],
  ['ports-by-address', portsByAddress],
  ['ports-by-group', members],
  ['ports-by-name', named('Logical_Switch_Port')],
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
  ['row-by-uid', itself],
  ['rows-by-gateway', byGateway],
  [
    'rows-by-subnet',
    marked(['Logical_Router_Policy', 'DHCP_Options'], (subnet, table) => [
      table === 'DHCP_Options' ? 'ls' : 'subnet',
      subnet,
    ]),
  ],
  ['switches-by-name', named('Logical_Switch')],
  ['vip-users', vipUsers],
]);

/** The rows the relation finds under the key, each once. @throws Failure when they cannot be read, or are too many. */
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

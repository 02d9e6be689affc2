import {
  type Condition,
  type DatabaseSchema,
  type Json,
  operation,
  type Operation,
} from '@ovn-steward/ovsdb';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowNameOf, uuidOf } from '@ovn-steward/systems/northbound/stored-columns';

/** Balancers that go to the same switch or router as one that is to have addresses again. */
export interface WantedVips {
  readonly balancer: string;
  /** `<address>:<port>`, the keys of `vips`. */
  readonly vips: readonly string[];
  /** As the column has it: of none it is TCP (ovn-nb(5), Load_Balancer). */
  readonly protocol: Json | undefined;
}

/** A switch, router or group of balancers. */
interface Place {
  readonly table: string;
  readonly uuid: string;
}

const GROUP = 'Load_Balancer_Group';
const DATAPATHS = ['Logical_Switch', 'Logical_Router'] as const;

/**
 * Whether another balancer of a switch or router where this one belongs, also by a group, has one
 * of its addresses by now: of two, OVN takes either. Guards hold what was seen until the write: the
 * balancers there, and their addresses.
 * @param at the rows whose `load_balancer` has it, or is to have it again.
 * @throws Failure when it cannot be read.
 */
export async function findVipTakers(
  northbound: Northbound,
  schema: DatabaseSchema,
  wanted: WantedVips,
  at: readonly Place[],
  signal: AbortSignal,
): Promise<{ readonly taken: string } | { readonly guards: readonly Operation[] }> {
  const seen = new SeenRows(northbound, signal);
  const balancers = await balancersBeside(at, schema, seen);
  const taken = await takenBy(
    balancers.filter((it) => it !== wanted.balancer),
    wanted,
    seen,
  );
  return taken === undefined ? { guards: seen.guards } : { taken };
}

interface Seen {
  readonly table: string;
  readonly where: readonly Condition[];
  readonly columns: readonly string[];
}

/** Reads rows, and has each write refused before which they changed. */
class SeenRows {
  readonly guards: Operation[] = [];
  readonly #northbound: Northbound;
  readonly #signal: AbortSignal;

  constructor(northbound: Northbound, signal: AbortSignal) {
    this.#northbound = northbound;
    this.#signal = signal;
  }

  /** The rows of each, as they are now and are to be at the write. */
  async read(selects: readonly Seen[]): Promise<readonly (readonly RowJson[])[]> {
    const found = await selectRows(
      this.#northbound,
      selects.map((it) => operation.select(it.table, it.where, it.columns)),
      this.#signal,
    );
    this.guards.push(
      ...selects.map((it, nth) => operation.wait(it.table, it.where, it.columns, [...found[nth]!])),
    );
    return found;
  }
}

/** All balancers of the switches and routers that the places are, or that have them as groups. */
async function balancersBeside(
  at: readonly Place[],
  schema: DatabaseSchema,
  seen: SeenRows,
): Promise<readonly string[]> {
  const grouping = DATAPATHS.filter(
    (table) => schema.tables.get(table)?.columns.has('load_balancer_group') === true,
  );
  const groups = at.filter(isGroup);
  const datapaths = distinct([...at, ...(await membersOf(groups, grouping, seen))]).filter(
    (it) => !isGroup(it),
  );
  const there = await seen.read(
    datapaths.map(({ table, uuid }) => ({
      table,
      where: operation.byUuid(uuid),
      columns: [
        'load_balancer',
        ...(grouping.some((it) => it === table) ? ['load_balancer_group'] : []),
      ],
    })),
  );
  const joined = there
    .flat()
    .flatMap((it) => uuidsInJson(it['load_balancer_group']))
    .map((uuid) => ({ table: GROUP, uuid }));
  const inGroups = await seen.read(
    distinct([...groups, ...joined]).map(({ uuid }) => ({
      table: GROUP,
      where: operation.byUuid(uuid),
      columns: ['load_balancer'],
    })),
  );
  const rows = [...there, ...inGroups].flat();
  return [...new Set(rows.flatMap((it) => uuidsInJson(it['load_balancer'])))];
}

/** The switches and routers that have one of the groups. @param grouping their tables. */
async function membersOf(
  groups: readonly Place[],
  grouping: readonly string[],
  seen: SeenRows,
): Promise<readonly Place[]> {
  const selects = groups.flatMap(({ uuid }) =>
    grouping.map((table) => ({
      table,
      where: [['load_balancer_group', 'includes', operation.uuid(uuid)] as Condition],
      columns: ['_uuid'],
    })),
  );
  return (await seen.read(selects)).flatMap((rows, nth) =>
    rows.map((it): Place => ({ table: selects[nth]!.table, uuid: uuidOf(it) })),
  );
}

/** Which of these balancers has a wanted address by now, in words; undefined: none. */
async function takenBy(
  balancers: readonly string[],
  wanted: WantedVips,
  seen: SeenRows,
): Promise<string | undefined> {
  const found = await seen.read(
    balancers.map((uuid) => ({
      table: 'Load_Balancer',
      where: operation.byUuid(uuid),
      columns: ['_uuid', 'name', 'protocol', 'vips'],
    })),
  );
  for (const [row] of found) {
    if (row === undefined || protocolOf(row['protocol']) !== protocolOf(wanted.protocol)) continue;
    const has = new Set(vipsOf(row['vips']).map(spelled));
    const taken = wanted.vips.find((it) => has.has(spelled(it)));
    if (taken !== undefined)
      return `${taken} belongs to Load_Balancer ${rowNameOf(row) || uuidOf(row)} (${uuidOf(row)}) now, on a switch or router where it would be again`;
  }
  return undefined;
}

const isGroup = ({ table }: Place): boolean => table === GROUP;

/** The rows whose `load_balancer` has the balancer now. @throws Failure when it cannot be read. */
export async function placesOf(
  northbound: Northbound,
  schema: DatabaseSchema,
  balancer: string,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const tables = [...DATAPATHS, GROUP].filter((it) => schema.tables.has(it));
  const found = await selectRows(
    northbound,
    tables.map((it) =>
      operation.select(it, [['load_balancer', 'includes', operation.uuid(balancer)]], ['_uuid']),
    ),
    signal,
  );
  return found.flatMap((rows, nth) =>
    rows.map((it) => ({ table: tables[nth]!, uuid: uuidOf(it) })),
  );
}

/** The keys of a map of addresses. */
export const vipsOf = (json: Json | undefined): readonly string[] =>
  Array.isArray(json) && json[0] === 'map'
    ? (json[1] as readonly (readonly Json[])[]).map((it) => String(it[0]))
    : [];

const protocolOf = (json: Json | undefined): string => (typeof json === 'string' ? json : 'tcp');

const spelled = (vip: string): string => vip.toLowerCase();

const distinct = (places: readonly Place[]): readonly Place[] => [
  ...new Map(places.map((it) => [`${it.table} ${it.uuid}`, it])).values(),
];

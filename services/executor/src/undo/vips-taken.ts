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
  const guards: Operation[] = [];
  /** The rows as they are read now, and are to be at the write. */
  const seen = async (
    selects: readonly {
      readonly table: string;
      readonly where: readonly Condition[];
      readonly columns: readonly string[];
    }[],
  ): Promise<readonly (readonly RowJson[])[]> => {
    const found = await selectRows(
      northbound,
      selects.map((it) => operation.select(it.table, it.where, it.columns)),
      signal,
    );
    guards.push(
      ...selects.map((it, nth) => operation.wait(it.table, it.where, it.columns, [...found[nth]!])),
    );
    return found;
  };
  const byGroup = DATAPATHS.filter(
    (table) => schema.tables.get(table)?.columns.has('load_balancer_group') === true,
  );

  const groups = at.filter(({ table }) => table === GROUP);
  const joined = groups.flatMap(({ uuid }) =>
    byGroup.map((table) => ({
      table,
      where: [['load_balancer_group', 'includes', operation.uuid(uuid)] as Condition],
      columns: ['_uuid'],
    })),
  );
  const members = (await seen(joined)).flatMap((rows, nth) =>
    rows.map((it): Place => ({ table: joined[nth]!.table, uuid: uuidOf(it) })),
  );
  const places = distinct([...at, ...members]).filter(({ table }) => table !== GROUP);
  const there = (
    await seen(
      places.map(({ table, uuid }) => ({
        table,
        where: operation.byUuid(uuid),
        columns: [
          'load_balancer',
          ...(byGroup.some((it) => it === table) ? ['load_balancer_group'] : []),
        ],
      })),
    )
  ).flat();
  const grouped = distinct([
    ...groups,
    ...there
      .flatMap((it) => uuidsInJson(it['load_balancer_group']))
      .map((uuid) => ({ table: GROUP, uuid })),
  ]);
  const inGroups = (
    await seen(
      grouped.map(({ uuid }) => ({
        table: GROUP,
        where: operation.byUuid(uuid),
        columns: ['load_balancer'],
      })),
    )
  ).flat();

  const others = [
    ...new Set([...there, ...inGroups].flatMap((it) => uuidsInJson(it['load_balancer']))),
  ].filter((it) => it !== wanted.balancer);
  for (const [row] of await seen(
    others.map((uuid) => ({
      table: 'Load_Balancer',
      where: operation.byUuid(uuid),
      columns: ['_uuid', 'name', 'protocol', 'vips'],
    })),
  )) {
    if (row === undefined || protocolOf(row['protocol']) !== protocolOf(wanted.protocol)) continue;
    const has = new Set(vipsOf(row['vips']).map(spelled));
    const taken = wanted.vips.find((it) => has.has(spelled(it)));
    if (taken !== undefined)
      return {
        taken: `${taken} belongs to Load_Balancer ${rowNameOf(row) || uuidOf(row)} (${uuidOf(row)}) now, on a switch or router where it would be again`,
      };
  }
  return { guards };
}

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

import {
  type DatabaseSchema,
  type Json,
  type JsonRow,
  operation,
  type Operation,
  OvsdbError,
} from '@ovn-steward/ovsdb';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import type { StoredLink, StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import type { EffectComment } from '../action-kit/action';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { commentOperation } from '../action-kit/comment-operation';
import { referencesOf, uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import {
  contentOf,
  guardedColumns,
  rowNameOf,
  storedColumns,
} from '@ovn-steward/systems/northbound/stored-columns';
import type { Systems } from '@ovn-steward/systems/systems';
import { lossesOf } from './losses';
import { findNamesakes } from './namesakes';
import { natAddressTaken } from './nat-address-taken';
import { portAddressTaken } from './port-address-taken';
import { impossible, type UndoPlan } from './undo-plan';
import { findVipTakers, vipsOf } from './vips-taken';
import { whyNotOurs } from './why-not-ours';

type StoredRows = Undo & { readonly of: 'rows' };

/**
 * Puts rows back with their uuids, into the rows that held them and with the references the
 * database dropped, in one transaction (ovn-northbound.md §1.5). Reads first whether that is
 * possible without harm to what is there now; the write is bound to what was seen.
 * @throws Failure when it cannot be read.
 */
export async function undoRows(
  undo: StoredRows,
  comment: EffectComment,
  systems: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  try {
    return await planOf(undo, comment, systems, signal);
  } catch (error) {
    throw error instanceof OvsdbError ? ovsdbFailure(error) : error;
  }
}

async function planOf(
  undo: StoredRows,
  comment: EffectComment,
  systems: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  const { northbound } = systems;
  const [target] = undo.rows as [StoredRow, ...StoredRow[]];
  const said = titleOf(target);
  const schema = await northbound.schema(signal);
  const foreign = notInSchema(schema, undo);
  if (foreign !== undefined)
    // An upgrade of the schema brings it back: what is to be put back for its owner waits for that.
    return {
      is: 'impossible',
      reason: `schema ${schema.version} of the database has no ${foreign} any more`,
      passes: true,
    };
  const present = await thereAlready(northbound, schema, undo.rows, signal);
  if (present !== undefined)
    return present === 'same'
      ? { is: 'back', says: `${said} is there, as it was` }
      : impossible(present);

  const outward = await lostReferences(northbound, schema, undo.rows, signal);
  if ('missing' in outward)
    return impossible(`${said} cannot be without ${outward.missing}, which is gone`);
  const bonds = await bondsOf(northbound, schema, undo.links, signal);
  if ('missing' in bonds) return impossible(bonds.missing);
  const namesakes = await findNamesakes(northbound, schema, undo.rows, undo.links, signal);
  if ('taken' in namesakes) return impossible(namesakes.taken);
  for (const port of undo.rows.filter((it) => it.table === 'Logical_Switch_Port')) {
    const taken = await portAddressTaken(port, undo.links, systems, signal);
    if (taken !== undefined) return impossible(taken);
  }
  const foreignRow = await whyNotOurs(northbound, schema, undo, signal);
  if (foreignRow !== undefined) return impossible(foreignRow);
  const given = await givenAway(undo, schema, systems, signal);
  if ('taken' in given) return impossible(given.taken);
  const inserts = undo.rows.map((it) => operation.insert(it.table, it.columns as JsonRow, it.uuid));
  return {
    is: 'ready',
    effect: {
      on: 'ovn-nb',
      operations: [
        ...namesakes.guards,
        ...given.guards,
        ...bonds.guards,
        ...inserts,
        ...bonds.writes,
        commentOperation(`undo: ${said}`, comment),
      ],
    },
    losses: [...lossesOf(target.table), ...outward.losses, ...bonds.losses],
  };
}

/** Addresses of balancers and NATs, which no index keeps apart. */
async function givenAway(
  { rows, links }: StoredRows,
  schema: DatabaseSchema,
  systems: Systems,
  signal: AbortSignal,
): Promise<{ readonly taken: string } | { readonly guards: readonly Operation[] }> {
  const guards: Operation[] = [];
  for (const row of rows) {
    const seen =
      row.table === 'NAT'
        ? await natAddressTaken(row, links, systems, signal)
        : row.table === 'Load_Balancer'
          ? await findVipTakers(
              systems.northbound,
              schema,
              {
                balancer: row.uuid,
                vips: vipsOf(row.columns['vips'] as Json | undefined),
                protocol: row.columns['protocol'] as Json | undefined,
              },
              links.filter(({ to, column }) => to.uuid === row.uuid && column === 'load_balancer'),
              signal,
            )
          : { guards: [] };
    if ('taken' in seen) return seen;
    guards.push(...seen.guards);
  }
  return { guards };
}

const titleOf = ({ table, uuid, name }: Pick<StoredRow, 'table' | 'uuid' | 'name'>): string =>
  `${table} ${name || uuid}`;

/** The first table or column the record needs and the schema lacks: the server was changed to another version. */
function notInSchema(schema: DatabaseSchema, { rows, links }: StoredRows): string | undefined {
  const needed = [
    ...rows.flatMap(({ table, columns }) =>
      Object.keys(columns).map((column) => ({ table, column })),
    ),
    ...links,
  ];
  const lacking = needed.find(
    ({ table, column }) => schema.tables.get(table)?.columns.has(column) !== true,
  );
  if (lacking) return `column ${lacking.column} of ${lacking.table}`;
  const gone = rows.find(({ table }) => !schema.tables.has(table));
  return gone && `table ${gone.table}`;
}

/** `same` when all rows are there and say what they said, but for what northd writes and what the database forgets; a reason when only some are, or others; undefined when none is. */
async function thereAlready(
  northbound: Northbound,
  schema: DatabaseSchema,
  rows: readonly StoredRow[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await selectRows(
    northbound,
    rows.map(({ table, uuid }) =>
      operation.select(
        table,
        operation.byUuid(uuid),
        storedColumns(schema.tables.get(table)!).map((it) => it.name),
      ),
    ),
    signal,
  );
  const present = rows.filter((_, nth) => found[nth]?.length !== 0);
  if (present.length === 0) return undefined;
  const absent = rows.find((it) => !present.includes(it));
  if (absent) return `${titleOf(present[0]!)} is there again, but ${titleOf(absent)} is not`;
  const other = rows.find((it, nth) => !saysTheSame(schema, it, found[nth]![0]!));
  return other ? `${titleOf(other)} is there again with its uuid, but says something else` : 'same';
}

function saysTheSame(schema: DatabaseSchema, { table, columns }: StoredRow, now: RowJson): boolean {
  const compared = guardedColumns(schema.tables.get(table)!, now).filter(
    ({ key }) => key.refType !== 'weak',
  );
  return (
    canonicalJson(contentOf(columns as RowJson, compared)) ===
    canonicalJson(contentOf(now, compared))
  );
}

/**
 * Deleted rows that the rows referred to: a strong reference cannot be written, the database drops
 * a weak one at once (RFC 7047 section 3.2).
 */
async function lostReferences(
  northbound: Northbound,
  schema: DatabaseSchema,
  rows: readonly StoredRow[],
  signal: AbortSignal,
): Promise<{ readonly missing: string } | { readonly losses: readonly string[] }> {
  const back = new Set(rows.map((it) => rowKey(it.table, it.uuid)));
  const wanted = rows.flatMap((row) =>
    referencesOf(schema, row.table).flatMap(({ column, to, strength }) =>
      uuidsInJson(row.columns[column] as Json | undefined)
        .filter((it) => !back.has(rowKey(to, it)))
        .map((uuid) => ({ row, column, to, strength, uuid })),
    ),
  );
  const found = await selectRows(
    northbound,
    wanted.map(({ to, uuid }) => operation.select(to, operation.byUuid(uuid), ['_uuid'])),
    signal,
  );
  const gone = wanted.filter((_, nth) => found[nth]?.length === 0);
  const strong = gone.find((it) => it.strength === 'strong');
  if (strong) return { missing: `${strong.to} ${strong.uuid} (${strong.column})` };
  return {
    losses: gone.map(
      ({ row, column, to, uuid }) =>
        `${to} ${uuid}, to which ${titleOf(row)} referred (${column}), is gone`,
    ),
  };
}

interface Bonds {
  readonly guards: readonly Operation[];
  readonly writes: readonly Operation[];
  readonly losses: readonly string[];
}

/** A link, and what there is of it by the schema. */
interface Bond {
  readonly link: StoredLink;
  readonly hasName: boolean;
  /** The column holds one reference, so that another may stand there by now. */
  readonly isOne: boolean;
}

function bondOf(schema: DatabaseSchema, link: StoredLink): Bond {
  const { columns } = schema.tables.get(link.table)!;
  return { link, hasName: columns.has('name'), isOne: columns.get(link.column)!.kind !== 'set' };
}

const identityOf = ({ link, hasName, isOne }: Bond): readonly string[] => [
  '_uuid',
  ...(hasName ? ['name'] : []),
  ...(isOne ? [link.column] : []),
];

/** Why the row, as it is now, is not to refer again; undefined when nothing speaks against it. */
function troubleOf({ link, isOne }: Bond, row: RowJson | undefined): string | undefined {
  if (!row) return 'is gone';
  if (rowNameOf(row) !== link.name) return `is called ${rowNameOf(row)} now`;
  return isOne && uuidsInJson(row[link.column]).length > 0 ? 'has another by now' : undefined;
}

/** The row must still be as `troubleOf` saw it. */
const bondGuard = (bond: Bond): Operation => {
  const {
    link: { table, uuid, name, column },
    hasName,
    isOne,
  } = bond;
  return operation.wait(table, operation.byUuid(uuid), identityOf(bond), [
    {
      _uuid: operation.uuid(uuid),
      ...(hasName && { name }),
      ...(isOne && { [column]: operation.set([]) }),
    },
  ]);
};

/**
 * The rows that stay, and are to refer to the rows again. A strong holder must exist; a weak
 * referrer that is deleted, or refers to another row now, is a loss.
 */
async function bondsOf(
  northbound: Northbound,
  schema: DatabaseSchema,
  links: readonly StoredLink[],
  signal: AbortSignal,
): Promise<{ readonly missing: string } | Bonds> {
  const bonds = links.map((it) => bondOf(schema, it));
  const found = await selectRows(
    northbound,
    bonds.map((it) =>
      operation.select(it.link.table, operation.byUuid(it.link.uuid), identityOf(it)),
    ),
    signal,
  );
  const losses: string[] = [];
  const kept: Bond[] = [];
  for (const [nth, bond] of bonds.entries()) {
    const { link } = bond;
    const trouble = troubleOf(bond, found[nth]?.[0]);
    const said = `${titleOf(link)}, which ${link.strength === 'strong' ? 'held' : 'referred to'} it (${link.column}), ${trouble}`;
    if (trouble === undefined) kept.push(bond);
    else if (link.strength === 'strong') return { missing: said };
    else losses.push(said);
  }
  return {
    guards: kept.map(bondGuard),
    writes: kept.map(({ link }) =>
      operation.mutate(link.table, operation.byUuid(link.uuid), [
        [link.column, 'insert', operation.uuid(link.to.uuid)],
      ]),
    ),
    losses,
  };
}

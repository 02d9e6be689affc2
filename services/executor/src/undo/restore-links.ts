import { type DatabaseSchema, operation, type Operation } from '@ovn-steward/ovsdb';
import type { StoredLink, StoredRow } from '@ovn-steward/contracts/actions/undo';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { uuidsInJson } from '@ovn-steward/systems/northbound/references';
import { rowNameOf } from '@ovn-steward/systems/northbound/stored-columns';

export const storedRowTitle = ({
  table,
  uuid,
  name,
}: Pick<StoredRow, 'table' | 'uuid' | 'name'>): string => `${table} ${name || uuid}`;

interface RestoredLinks {
  readonly guards: readonly Operation[];
  readonly writes: readonly Operation[];
  readonly losses: readonly string[];
}

/** A link, and what there is of it by the schema. */
interface LinkColumns {
  readonly link: StoredLink;
  readonly hasName: boolean;
  /** The column holds one reference, so that another may stand there by now. */
  readonly isOne: boolean;
}

function linkColumns(schema: DatabaseSchema, link: StoredLink): LinkColumns {
  const { columns } = schema.tables.get(link.table)!;
  return { link, hasName: columns.has('name'), isOne: columns.get(link.column)!.kind !== 'set' };
}

const identityOf = ({ link, hasName, isOne }: LinkColumns): readonly string[] => [
  '_uuid',
  ...(hasName ? ['name'] : []),
  ...(isOne ? [link.column] : []),
];

/** Why the row, as it is now, is not to refer again; undefined when nothing speaks against it. */
function obstacleOf({ link, isOne }: LinkColumns, row: RowJson | undefined): string | undefined {
  if (!row) return 'is gone';
  if (rowNameOf(row) !== link.name) return `is called ${rowNameOf(row)} now`;
  return isOne && uuidsInJson(row[link.column]).length > 0 ? 'has another by now' : undefined;
}

/** The row must still be as `obstacleOf` saw it. */
const linkGuard = (columns: LinkColumns): Operation => {
  const {
    link: { table, uuid, name, column },
    hasName,
    isOne,
  } = columns;
  return operation.wait(table, operation.byUuid(uuid), identityOf(columns), [
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
export async function restoreLinks(
  northbound: Northbound,
  schema: DatabaseSchema,
  links: readonly StoredLink[],
  signal: AbortSignal,
): Promise<{ readonly missing: string } | RestoredLinks> {
  const wanted = links.map((it) => linkColumns(schema, it));
  const found = await selectRows(
    northbound,
    wanted.map((it) =>
      operation.select(it.link.table, operation.byUuid(it.link.uuid), identityOf(it)),
    ),
    signal,
  );
  const losses: string[] = [];
  const kept: LinkColumns[] = [];
  for (const [nth, columns] of wanted.entries()) {
    const { link } = columns;
    const obstacle = obstacleOf(columns, found[nth]?.[0]);
    const title = `${storedRowTitle(link)}, which ${link.strength === 'strong' ? 'held' : 'referred to'} it (${link.column}), ${obstacle}`;
    if (obstacle === undefined) kept.push(columns);
    else if (link.strength === 'strong') return { missing: title };
    else losses.push(title);
  }
  return {
    guards: kept.map(linkGuard),
    writes: kept.map(({ link }) =>
      operation.mutate(link.table, operation.byUuid(link.uuid), [
        [link.column, 'insert', operation.uuid(link.to.uuid)],
      ]),
    ),
    losses,
  };
}

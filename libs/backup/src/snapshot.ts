import { type DatabaseSchema, type Operation, operation as op, Replica } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { refusalText } from '@ovn-steward/systems/northbound/refusal-text';
import type { RowJson } from '@ovn-steward/systems/northbound/select-rows';
import { uuidOf } from '@ovn-steward/systems/northbound/stored-columns';

/** All of a Northbound database at one moment. */
export interface NorthboundSnapshot {
  /** Which database it is of, as {@link Northbound.identity} says it. */
  readonly identity: string;
  readonly schema: DatabaseSchema;
  readonly replica: Replica;
}

/**
 * Every row with every column. `_version` differs between the members of a cluster and is stored
 * nowhere, so it is not selected.
 */
const everything = (schema: DatabaseSchema): Operation[] =>
  [...schema.tables.values()].map((table) =>
    op.select(table.name, [], ['_uuid', ...table.columns.keys()]),
  );

/**
 * Reads the whole database in one transaction, so that all is of one moment.
 * @throws Failure `source-unreachable`, `input-foreign-schema`; `source-broken` when the server
 *   refuses the read, or when another database answered after it than before it.
 */
export async function takeSnapshot(
  northbound: Northbound,
  signal: AbortSignal,
): Promise<NorthboundSnapshot> {
  const identity = await northbound.identity(signal);
  const schema = await northbound.schema(signal);
  const answer = await northbound.read(everything(schema), signal);
  if (answer.is === 'refused')
    throw new Failure(
      'source-broken',
      `${northbound.where} refused to be read as a whole: ${refusalText(answer)}. The read changed nothing.`,
    );
  if ((await northbound.identity(signal)) !== identity)
    throw new Failure(
      'source-broken',
      `${northbound.where} became another database while it was read. Check the addresses.`,
    );
  const tables = [...schema.tables.keys()].map((table, nth) => {
    const result = answer.results[nth];
    if (result?.kind !== 'selected')
      throw new Failure(
        'source-broken',
        `${northbound.where} did not answer the read of table ${table}. The read changed nothing.`,
      );
    return [
      table,
      Object.fromEntries(result.rows.map((row) => [uuidOf(row as RowJson), { initial: row }])),
    ] as const;
  });
  const replica = new Replica(schema);
  replica.replaceAll(Object.fromEntries(tables));
  return { identity, schema, replica };
}

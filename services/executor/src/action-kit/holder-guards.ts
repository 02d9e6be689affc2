import { operation, type Operation } from '@ovn-steward/ovsdb';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';

/** A column of the rows that hold a row, as a proof may rest on it. */
export interface HolderColumn {
  readonly table: string;
  /** Holds the row. */
  readonly by: string;
  /** What it says there must stay. */
  readonly column: string;
}

/**
 * Operations that refuse a transaction unless that column of each row that holds this one is as it
 * is now (RFC 7047 section 5.2.6). Read before the proof is made, so that what the proof rests on
 * is what the transaction is bound to.
 * @throws Failure when it cannot be read.
 */
export async function holderGuards(
  northbound: Northbound,
  { table, by, column }: HolderColumn,
  uuid: string,
  signal: AbortSignal,
): Promise<readonly Operation[]> {
  const [holders = []] = await selectRows(
    northbound,
    [operation.select(table, [[by, 'includes', operation.uuid(uuid)]], ['_uuid', column])],
    signal,
  );
  return holders.map((holder) =>
    operation.wait(
      table,
      [['_uuid', '==', holder['_uuid']!]],
      [column],
      [{ [column]: holder[column]! }],
    ),
  );
}

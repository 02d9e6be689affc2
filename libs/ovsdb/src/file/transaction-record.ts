import { OvsdbError } from '../wire/errors';
import type { Replica } from '../replica/replica';
import type { RowChange } from '../replica/row-change';
import type { FileRecord } from './file-record';
import type { JsonCut, JsonPath } from './json-cutter';

/** What a transaction says beside its rows (ovsdb(5)). */
export interface TransactionHead {
  readonly date?: Date;
  readonly comment?: string;
  /** Columns of modified rows are differences (writers since OVS 2.15), not new values. */
  readonly isDiff?: boolean;
}

/** One committed transaction, already applied to the replica. */
export interface ReplayedTransaction extends TransactionHead {
  /** The number of the record that holds it, from 0. */
  readonly record: number;
  readonly changes: RowChange[];
}

/** No table's name begins with an underscore: a schema that has one is refused by ovsdb-server. */
export const isMeta = (name: unknown): boolean => typeof name === 'string' && name.startsWith('_');

/** Old writers wrote seconds. A Date ends before the integers do, and then is none. */
function dateOf(record: FileRecord, json: number): Date {
  const date = new Date(json < 2 ** 32 ? json * 1000 : json);
  if (!Number.isNaN(date.getTime())) return date;
  throw record.error('corrupt', `its _date is ${json}, which is no time. Restore another copy`);
}

/**
 * A transaction's head with one more member, whose name begins with an underscore.
 *
 * @throws OvsdbError `corrupt` for a date that is none, and for a member this reader does not know:
 *   it might, as `_is_diff` once did, change what the rows mean.
 */
export function withMeta(
  record: FileRecord,
  head: TransactionHead,
  name: string,
  json: unknown,
): TransactionHead {
  if (name === '_date' && typeof json === 'number') return { ...head, date: dateOf(record, json) };
  if (name === '_comment' && typeof json === 'string') return { ...head, comment: json };
  if (name === '_is_diff' && typeof json === 'boolean') return { ...head, isDiff: json };
  throw record.error(
    'corrupt',
    `its member ${name} is not one this reader understands. Read the file with the ovsdb-tool that belongs to its writer`,
  );
}

/**
 * Applies the rows of a transaction that lies somewhere in a record.
 *
 * @param at where in the record the transaction lies.
 * @throws OvsdbError `corrupt`, `schema-mismatch`, `value-invalid`, naming the record.
 */
export async function applyRows(
  record: FileRecord,
  at: JsonPath,
  replica: Replica,
  head: TransactionHead,
): Promise<RowChange[]> {
  const changes: RowChange[] = [];
  const depth = at.length;
  const choose = (path: JsonPath): JsonCut => {
    if (path.length > depth + 1) return 'take';
    if (path.length === depth + 1) return isMeta(path[depth]) ? 'skip' : 'members';
    if (path.some((step, nth) => step !== at[nth])) return 'skip';
    return typeof at[path.length] === 'number' ? 'elements' : 'members';
  };
  await record.walk(choose, (path, json) => {
    const table = path[depth];
    const uuid = path[depth + 1];
    if (typeof table !== 'string' || typeof uuid !== 'string')
      throw record.error('corrupt', `what stands at ${JSON.stringify(path)} is no table of rows`);
    const change = naming(record, () =>
      replica.applyFileRow(table, uuid, json, head.isDiff ? 'difference' : 'full'),
    );
    if (change) changes.push(change);
  });
  return changes;
}

/** Runs a step and lets its errors say in which record they are. */
export function naming<T>(record: FileRecord, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof OvsdbError)) throw error;
    throw record.error(error.code === 'out-of-step' ? 'corrupt' : error.code, error.message, error);
  }
}

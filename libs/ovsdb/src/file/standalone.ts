import { Replica, type ReplicaOptions } from '../replica/replica';
import { type DatabaseSchema, parseSchema } from '../schema/schema';
import type { FileRecord } from './file-record';
import type { JsonCut, JsonPath } from './json-cutter';
import {
  applyRows,
  isMeta,
  naming,
  type ReplayedTransaction,
  type TransactionHead,
  withMeta,
} from './transaction-record';

const isSchemaLike = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  Object.hasOwn(json, 'tables') &&
  Object.hasOwn(json, 'name');

async function schemaOf(record: FileRecord): Promise<DatabaseSchema> {
  let json: unknown;
  await record.walk(
    () => 'take',
    (_path, found) => void (json = found),
  );
  if (!isSchemaLike(json))
    throw record.error(
      'no-schema',
      'the first record of a standalone database must be its schema, and this one is not. Take a whole copy of the file',
    );
  return naming(record, () => parseSchema(json));
}

async function headOf(record: FileRecord): Promise<TransactionHead> {
  let head: TransactionHead = {};
  const choose = ([name]: JsonPath): JsonCut =>
    name === undefined ? 'members' : isMeta(name) ? 'take' : 'skip';
  await record.walk(choose, ([name], json) => {
    if (typeof name !== 'string')
      throw record.error('corrupt', 'it is no object, and so no transaction');
    head = withMeta(record, head, name, json);
  });
  return head;
}

/**
 * The state of replaying a standalone database: the first record is its schema, each further one a
 * transaction.
 */
export class StandaloneReplay {
  readonly format = 'standalone';

  private constructor(readonly replica: Replica) {}

  static async begin(record: FileRecord, options: ReplicaOptions): Promise<StandaloneReplay> {
    return new StandaloneReplay(new Replica(await schemaOf(record), options));
  }

  /** Applies one record, which is one transaction. */
  async add(record: FileRecord): Promise<ReplayedTransaction[]> {
    const head = await headOf(record);
    return [
      {
        ...head,
        record: record.place.number,
        changes: await applyRows(record, [], this.replica, head),
      },
    ];
  }
}

import type { OvsdbError } from '../wire/errors';
import type { FileRecord } from './file-record';
import type { JsonCut, JsonPath } from './json-cutter';
import { isMeta, type TransactionHead, withMeta } from './transaction-record';

/**
 * One record of a cluster member's log (ovsdb(5), "Clustered Format") without the rows of its
 * transaction.
 */
export interface ClusterHead {
  /** All members but the data. */
  readonly members: ReadonlyMap<string, unknown>;
  /** Present when the record has data. */
  readonly data?: {
    readonly name: 'data' | 'prev_data';
    /** Given when the entry changes the schema. */
    readonly schema?: unknown;
    /** Undefined when there is no transaction, as in an entry that only converts the schema. */
    readonly transaction?: TransactionHead;
  };
}

const KNOWN: ReadonlySet<string> = new Set([
  ...[
    'server_id',
    'local_address',
    'name',
    'cluster_id',
    'remote_addresses',
    'prev_term',
    'prev_index',
    'prev_servers',
    'prev_election_timer',
    'prev_eid',
  ],
  ...[
    'term',
    'index',
    'eid',
    'servers',
    'election_timer',
    'vote',
    'leader',
    'commit_index',
    'note',
    'comment',
  ],
]);

const isData = (name: unknown): name is 'data' | 'prev_data' =>
  name === 'data' || name === 'prev_data';

function choose([name, part, member]: JsonPath): JsonCut {
  if (name === undefined) return 'members';
  if (!isData(name)) return 'take';
  if (part === undefined) return 'elements';
  if (part !== 1) return 'take';
  return member === undefined ? 'members' : isMeta(member) ? 'take' : 'skip';
}

/**
 * `choose`, which counts the elements of the data: of an empty list, and of an empty transaction,
 * nothing is handed over.
 */
const counting =
  (elements: Map<string, number>): typeof choose =>
  (path) => {
    const [name, part] = path;
    if (isData(name) && path.length <= 2)
      elements.set(name, typeof part === 'number' ? part + 1 : 0);
    return choose(path);
  };

const noPair = (record: FileRecord, name: string): OvsdbError =>
  record.error('corrupt', `its ${name} is not a schema and a transaction`);

/** @throws OvsdbError `corrupt` for a record or a member this reader does not know. */
export async function readClusterHead(record: FileRecord): Promise<ClusterHead> {
  const members = new Map<string, unknown>();
  let data: { name: 'data' | 'prev_data'; schema?: unknown } | undefined;
  let transaction: TransactionHead | undefined = {};
  const elements = new Map<string, number>();
  await record.walk(counting(elements), ([name, part, member], json) => {
    if (typeof name !== 'string' || !(isData(name) || KNOWN.has(name)))
      throw record.error(
        'corrupt',
        `its member ${JSON.stringify(name)} is not one this reader understands. Read the file with the ovsdb-tool that belongs to its writer`,
      );
    if (!isData(name)) members.set(name, json);
    else if (part === 0) data = { name, ...(json !== null && { schema: json }) };
    else if (part === 1 && typeof member === 'string' && transaction)
      transaction = withMeta(record, transaction, member, json);
    else if (part === 1 && json === null) transaction = undefined;
    else throw noPair(record, name);
  });
  for (const [name, count] of elements) if (count !== 2) throw noPair(record, name);
  return { members, ...(data && { data: { ...data, ...(transaction && { transaction }) } }) };
}

/** @throws OvsdbError `corrupt` when the record has the member, but it is not a whole number. */
export function wholeNumber(
  record: FileRecord,
  { members }: ClusterHead,
  name: string,
): number | undefined {
  const value = members.get(name);
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0))
    return value as number | undefined;
  throw record.error(
    'corrupt',
    `its ${name} is ${JSON.stringify(value)}, which is no whole number`,
  );
}

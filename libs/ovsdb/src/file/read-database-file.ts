import type { Replica } from '../replica/replica';
import type { DatabaseSchema } from '../schema/schema';
import type { TornTail } from './record-stream';
import { type ReadOptions, replay } from './replay';

/** The last state of a database, read from its file. */
export interface DatabaseFile {
  readonly format: 'standalone' | 'clustered';
  /** The schema in force at the end: a file may convert its database. */
  readonly schema: DatabaseSchema;
  /** The rows. Ephemeral columns are unknown: a file does not store them. */
  readonly replica: Replica;
  /**
   * The time of the last transaction that bears one, by the clock of the server that committed it.
   */
  readonly asOf?: Date;
  /** The comment of the last transaction that bears one. */
  readonly comment?: string;
  readonly clusterId?: string;
  readonly serverId?: string;
  /** How many records were read. */
  readonly records: number;
  /**
   * Clustered: entries at the end of the log that this member did not know to be committed. They
   * are not in the rows.
   */
  readonly uncommitted: number;
  /** Present when a torn last record was passed over, see {@link ReadOptions.allowTornTail}. */
  readonly tornTail?: TornTail;
}

/**
 * Reads a database file to its end: the standalone file of ovsdb-server, the output of
 * `ovsdb-client backup`, or the log of a cluster's member (ovsdb(5)). Every record's length and
 * SHA-1 are checked. The file is streamed, whatever its size; what must fit in memory is the rows.
 *
 * @throws OvsdbError `not-found`, `unreadable`, `not-a-database`, `truncated`, `hash-mismatch`,
 *   `corrupt`, `no-schema`, `schema-invalid`, `schema-mismatch`, `value-invalid`, with the record's
 *   number and byte.
 * @throws the signal's reason when aborted.
 */
export async function readDatabaseFile(
  path: string,
  options: ReadOptions = {},
): Promise<DatabaseFile> {
  const transactions = replay(path, options);
  let asOf: Date | undefined;
  let comment: string | undefined;
  let step = await transactions.next();
  for (; !step.done; step = await transactions.next()) {
    asOf = step.value.date ?? asOf;
    comment = step.value.comment ?? comment;
  }
  const { database, stream } = step.value;
  const cluster = database.format === 'clustered' ? database : undefined;
  return {
    format: database.format,
    schema: database.replica.schema,
    replica: database.replica,
    ...(asOf && { asOf }),
    ...(comment !== undefined && { comment }),
    ...(cluster?.clusterId !== undefined && { clusterId: cluster.clusterId }),
    ...(cluster?.serverId !== undefined && { serverId: cluster.serverId }),
    records: stream.count,
    uncommitted: cluster?.uncommitted ?? 0,
    ...(stream.tornTail && { tornTail: stream.tornTail }),
  };
}

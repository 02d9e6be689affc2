import type { ReplicaOptions } from '../replica/replica';
import { ClusteredReplay } from './clustered';
import type { FileRecord } from './file-record';
import { RecordFile } from './record-file';
import { RecordStream, type RecordStreamOptions } from './record-stream';
import { StandaloneReplay } from './standalone';
import type { ReplayedTransaction } from './transaction-record';

export interface ReadOptions extends RecordStreamOptions {
  readonly signal?: AbortSignal;
  /** Indexes to keep beside those of the schema, for {@link Replica.lookup}. */
  readonly indexes?: NonNullable<ReplicaOptions['indexes']>;
}

/** What is known of a file when it has been read to its end. */
export interface Replayed {
  readonly database: StandaloneReplay | ClusteredReplay;
  readonly stream: RecordStream;
}

const begin = (
  record: FileRecord,
  options: ReplicaOptions,
): Promise<StandaloneReplay | ClusteredReplay> =>
  record.place.magic === 'JSON'
    ? StandaloneReplay.begin(record, options)
    : ClusteredReplay.begin(record, options);

/** A file does not store ephemeral columns: read from one they are unknown. */
const replicaOptions = ({ indexes }: ReadOptions): ReplicaOptions => ({
  sends: (_table, column) => !column.ephemeral,
  ...(indexes && { indexes }),
});

/**
 * Gives the committed transactions of a database file in their order, each applied when it is
 * given. Of a clustered file the first is its snapshot.
 */
export async function* replay(
  path: string,
  options: ReadOptions,
): AsyncGenerator<ReplayedTransaction, Replayed> {
  const file = await RecordFile.open(path, options.signal);
  try {
    const stream = new RecordStream(file, options);
    let database: StandaloneReplay | ClusteredReplay | undefined;
    for await (const record of stream) {
      if (database) yield* await database.add(record);
      else {
        database = await begin(record, replicaOptions(options));
        if (database instanceof ClusteredReplay) yield database.snapshot;
      }
    }
    if (!database) throw new Error('a file without records is refused at its first byte');
    return { database, stream };
  } finally {
    await file.close();
  }
}

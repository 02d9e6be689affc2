import { stat } from 'node:fs/promises';
import { readDatabaseFile } from '@ovn-steward/ovsdb';
import type { Observation, Source } from '../../source-kit/source';
import { checkSchema, ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { fullRead } from './full-read';
import { RowProjection } from './rows';
import { kindsOf, type OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';

export interface OvnFileOptions {
  readonly id: OvnDatabaseId;
  /** A file of ovsdb-server, standalone or clustered, or the output of `ovsdb-client backup`. */
  readonly path: string;
  /**
   * Pass over a last record that is cut off, as in a copy of a live server's file. By default that
   * is `input-truncated`.
   */
  readonly allowTornTail?: boolean;
}

/**
 * The last state of an OVN database from its file: one full read, and progress up to the last
 * transaction's time (the file's modification time where none is dated).
 *
 * @throws Failure, when iterated: `input-not-found`, `input-unreadable`, `input-not-a-database`,
 *   `input-truncated`, `input-foreign-schema`.
 */
export function createOvnFileSource(options: OvnFileOptions): Source {
  return {
    id: options.id,
    source: options.id,
    streams: [options.id],
    async *observe(signal) {
      try {
        for (const batch of await read(options, signal)) {
          if (signal.aborted) return;
          yield batch;
        }
      } catch (error) {
        if (!signal.aborted) throw ovsdbFailure(error);
      }
    },
  };
}

async function read(
  { id, path, allowTornTail = false }: OvnFileOptions,
  signal: AbortSignal,
): Promise<Iterable<Observation[]>> {
  signal.throwIfAborted();
  const { replica, schema, asOf } = await readDatabaseFile(path, { allowTornTail, signal });
  checkSchema(id, schema, path);
  return fullRead({
    stream: id,
    kinds: kindsOf(id, schema),
    projection: new RowProjection(id, (table, uuid) => replica.get(table, uuid)),
    rowsOf: (kind) => replica.rows(kind),
    cursor: '',
    through: (asOf ?? (await stat(path)).mtime).toISOString(),
    // The reader's copy grows as ours shrinks: the whole database is never held twice.
    onRow: ({ table, uuid }) => replica.applyFileRow(table, uuid, null, 'full'),
  });
}

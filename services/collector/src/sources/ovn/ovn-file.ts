import { stat } from 'node:fs/promises';
import { type DatabaseFile, readDatabaseFile, type Replica } from '@ovn-steward/ovsdb';
import type { Observation, Source } from '../../source';
import { checkSchema, ovsdbFailure } from './failure';
import { createRowProjection } from './rows';
import { kindsOf, type OvnDatabaseId } from './selection';

export interface OvnFileOptions {
  readonly id: OvnDatabaseId;
  /** A file of ovsdb-server, standalone or clustered, or the output of `ovsdb-client backup`. */
  readonly path: string;
  /** Pass over a last record that is cut off, as in a copy of a live server's file. By default that is `input-truncated`. */
  readonly allowTornTail?: boolean;
}

const BATCH = 500;

/**
 * The last state of an OVN database from its file: one full read, and progress up to the last transaction's time (the
 * file's modification time where none is dated).
 *
 * @throws Failure, when iterated: `input-not-found`, `input-unreadable`, `input-not-a-database`, `input-truncated`, `input-foreign-schema`.
 */
export function createOvnFileSource({ id, path, allowTornTail = false }: OvnFileOptions): Source {
  return {
    id,
    source: id,
    async *observe(signal) {
      if (signal.aborted) return;
      const { file, through } = await read(path, allowTornTail, signal).catch((error: unknown) => {
        if (signal.aborted) return { file: undefined, through: '' };
        throw ovsdbFailure(error);
      });
      if (!file) return;
      checkSchema(id, file.schema, path);
      const kinds = kindsOf(id, file.schema);
      yield [{ type: 'begin', stream: id, kinds }];
      for (const batch of drain(id, kinds, file.replica)) {
        if (signal.aborted) return;
        yield batch;
      }
      yield [{ type: 'complete', stream: id, kinds, cursor: '' }, { type: 'progress', stream: id, cursor: '', through }];
    },
  };
}

async function read(path: string, allowTornTail: boolean, signal: AbortSignal): Promise<{ file: DatabaseFile; through: string }> {
  const file = await readDatabaseFile(path, { allowTornTail, signal });
  return { file, through: (file.asOf ?? (await stat(path)).mtime).toISOString() };
}

/** All rows; each leaves the replica when it is told, so that reader and replica never hold the whole database twice. */
function* drain(id: OvnDatabaseId, kinds: readonly string[], replica: Replica): Generator<Observation[]> {
  const projection = createRowProjection(id, (table, uuid) => replica.get(table, uuid));
  for (const kind of kinds) for (const row of replica.rows(kind)) projection.learn(row);
  let batch: Observation[] = [];
  for (const kind of kinds) {
    for (const row of replica.rows(kind)) {
      batch.push(projection.object(row));
      replica.applyFileRow(kind, row.uuid, null, 'full');
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length) yield batch;
}

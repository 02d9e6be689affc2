import {
  type HistoryTransaction,
  readDatabaseFile,
  readHistory,
  type Row,
} from '@ovn-steward/ovsdb';
import type { Observation, Source } from '../../source-kit/source';
import { checkSchema, ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { fullRead } from './full-read';
import { RowProjection } from './rows';
import { kindsOf, type OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';

export interface OvnHistoryOptions {
  readonly id: OvnDatabaseId;
  /**
   * A server's own file, which still holds its transactions: a backup or a compacted file holds
   * only the last state.
   */
  readonly path: string;
}

/**
 * Replays the transactions in a database file as if they happened now: where its history begins as
 * a full read, then each transaction as its changes with progress at its time.
 *
 * @throws Failure, when iterated, as `createOvnFileSource` does.
 */
export function createOvnHistorySource({ id, path }: OvnHistoryOptions): Source {
  return {
    id,
    source: id,
    streams: [id],
    async *observe(signal) {
      try {
        signal.throwIfAborted();
        const { schema } = await readDatabaseFile(path, { signal });
        checkSchema(id, schema, path);
        yield* replayed(id, kindsOf(id, schema), readHistory(path, { signal }), signal);
      } catch (error) {
        if (!signal.aborted) throw ovsdbFailure(error);
      }
    },
  };
}

async function* replayed(
  id: OvnDatabaseId,
  kinds: readonly string[],
  history: AsyncIterable<HistoryTransaction>,
  signal: AbortSignal,
): AsyncGenerator<Observation[]> {
  const rows = new Map<string, Map<string, Row>>(kinds.map((kind) => [kind, new Map()]));
  let projection: RowProjection | undefined;
  let date = new Date(0);
  for await (const transaction of history) {
    for (const { kind, table, uuid, row } of transaction.changes) {
      if (kind === 'delete') rows.get(table)?.delete(uuid);
      else rows.get(table)?.set(uuid, row);
    }
    date = transaction.date ?? date;
    const cursor = String(transaction.record);
    const through = date.toISOString();
    if (projection)
      yield [
        ...projection.update(transaction.changes),
        { type: 'progress', stream: id, cursor, through },
      ];
    else {
      projection = new RowProjection(id, (table, uuid) => rows.get(table)?.get(uuid));
      yield* fullRead({
        stream: id,
        kinds,
        projection,
        rowsOf: (kind) => rows.get(kind)?.values() ?? [],
        cursor,
        through,
      });
    }
    if (signal.aborted) return;
  }
}

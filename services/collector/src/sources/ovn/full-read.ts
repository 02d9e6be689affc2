import type { Row } from '@ovn-steward/ovsdb';
import type { Observation } from '../../source-kit/source';
import type { RowProjection } from './rows';

/**
 * Objects to a batch: small enough to pass on at once, large enough that the passing costs nothing.
 */
const BATCH = 500;

export interface FullRead {
  readonly stream: string;
  readonly kinds: readonly string[];
  readonly projection: RowProjection;
  readonly rowsOf: (kind: string) => Iterable<Row>;
  readonly cursor: string;
  /** RFC 3339, UTC: the rows are at least as new as this. */
  readonly through: string;
  /** Called when a row has been published, for a caller that needs it no longer. */
  readonly onRow?: (row: Row) => void;
}

/**
 * A whole database in batches: begin, every row, complete, and progress up to the time it is known
 * to hold.
 */
export function* fullRead({
  stream,
  kinds,
  projection,
  rowsOf,
  cursor,
  through,
  onRow,
}: FullRead): Generator<Observation[]> {
  for (const kind of kinds) for (const row of rowsOf(kind)) projection.learn(row);
  let batch: Observation[] = [{ type: 'begin', stream, kinds }];
  for (const kind of kinds) {
    for (const row of rowsOf(kind)) {
      batch.push(projection.object(row));
      onRow?.(row);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  yield [
    ...batch,
    { type: 'complete', stream, kinds, cursor },
    { type: 'progress', stream, cursor, through },
  ];
}

import type { Json, Operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Northbound } from './northbound';
import { refusalText } from './refusal-text';

/** A selected row, its values in the JSON of RFC 7047 section 5.1. */
export type RowJson = Readonly<Record<string, Json>>;

/**
 * The rows that each select finds, all in one transaction: one consistent picture.
 * @throws Failure `source-broken` when the database refuses to answer, as it does when its schema
 *   has changed meanwhile.
 */
export async function selectRows(
  northbound: Northbound,
  selects: readonly Operation[],
  signal: AbortSignal,
): Promise<readonly (readonly RowJson[])[]> {
  if (selects.length === 0) return [];
  const answer = await northbound.read(selects, signal);
  if (answer.is === 'refused')
    throw new Failure(
      'source-broken',
      `${northbound.where} refused a read: ${refusalText(answer)}. Nothing was changed. Try again.`,
    );
  const found = answer.results.flatMap((it) =>
    it.kind === 'selected' ? [it.rows as readonly RowJson[]] : [],
  );
  if (found.length !== selects.length)
    throw new Failure(
      'source-broken',
      `${northbound.where} answered ${found.length} of ${selects.length} selects. Nothing was changed. Try again.`,
    );
  return found;
}

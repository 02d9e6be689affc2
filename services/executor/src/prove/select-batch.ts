import { operation, type Condition, type Operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { refusalText } from '@ovn-steward/systems/northbound/refusal-text';

export type SelectedRow = Readonly<Record<string, unknown>>;

/** @returns the rows that meet all conditions, with these columns, or with all. */
export type Select = (
  table: string,
  where: readonly Condition[],
  columns?: readonly string[],
) => Promise<readonly SelectedRow[]>;

interface Waiting {
  readonly select: Operation;
  readonly done: (rows: readonly SelectedRow[]) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Selects made in one turn of the event loop become one transaction: they see one picture of the
 * database, and cost one round trip. When it fails, each of them does.
 */
export function selectBatch(northbound: Northbound, signal: AbortSignal): Select {
  let waiting: Waiting[] = [];
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const answer = await northbound.read(
        batch.map((it) => it.select),
        signal,
      );
      if (answer.is === 'refused')
        throw new Failure(
          'source-broken',
          `${northbound.where} refused to be read: ${refusalText(answer)}`,
        );
      batch.forEach(({ done, failed }, index) => {
        const result = answer.results[index];
        if (result?.kind === 'selected') done(result.rows);
        else failed(new Failure('source-broken', `${northbound.where} did not answer a select`));
      });
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };
  return (table, where, columns) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setImmediate(() => void send());
      waiting.push({ select: operation.select(table, where, columns), done, failed });
    });
}

import type { Northbound } from '@ovn-steward/systems/northbound/northbound';

/**
 * A Northbound as it will be once these rows are removed: reads return neither them nor references
 * to them, as the server drops those by itself. Nothing can be written to it. A row selected
 * without its `_uuid` cannot be identified, and stays.
 */
export const withoutRows = (northbound: Northbound, rows: ReadonlySet<string>): Northbound => ({
  where: northbound.where,
  identity: (signal) => northbound.identity(signal),
  connections: () => northbound.connections(),
  schema: (signal) => northbound.schema(signal),
  async read(operations, signal) {
    const answer = await northbound.read(operations, signal);
    if (answer.is !== 'committed' || rows.size === 0) return answer;
    const results = answer.results.map((result) =>
      result.kind === 'selected'
        ? {
            ...result,
            rows: result.rows
              .filter((row) => !names(row['_uuid'], rows))
              .map((row) => withoutReferences(row, rows)),
          }
        : result,
    );
    return { ...answer, results };
  },
  write: () => Promise.reject(new Error('a Northbound as it will be is only read')),
  takeOver: () => Promise.reject(new Error('a Northbound as it will be is only read')),
  queueForLock: (signal) => northbound.queueForLock(signal),
  close: () => northbound.close(),
});

/** A row's columns without references to those rows. */
export const withoutReferences = (
  columns: Readonly<Record<string, unknown>>,
  rows: ReadonlySet<string>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [column, withoutNames(value, rows)]),
  );

const names = (value: unknown, rows: ReadonlySet<string>): boolean =>
  Array.isArray(value) && value[0] === 'uuid' && typeof value[1] === 'string' && rows.has(value[1]);

/** A set of references without those; a set of one is written as the one (RFC 7047 §5.1). */
function withoutNames(value: unknown, rows: ReadonlySet<string>): unknown {
  if (names(value, rows)) return ['set', []];
  if (!Array.isArray(value) || value[0] !== 'set' || !Array.isArray(value[1])) return value;
  const left = (value[1] as unknown[]).filter((it) => !names(it, rows));
  if (left.length === (value[1] as unknown[]).length) return value;
  return left.length === 1 ? left[0] : ['set', left];
}

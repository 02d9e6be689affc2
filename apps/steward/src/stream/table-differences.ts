import { FindingsTable, isOpen } from '@ovn-steward/client';
import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { grouped } from '@ovn-steward/shared/grouped';
import type { ConsumerRow } from './consumer-table';
import type { RecordedFinding } from './recorded-stream';

/**
 * Of one finding: how a table differs from what the stream says, and the records that the stream
 * has of it.
 */
export interface FindingDifference {
  readonly id: string;
  readonly problem: string;
  readonly sent: readonly string[];
}

/** What a reader of the whole stream knows. */
export function findingsIn(stream: readonly RecordedFinding[]): readonly Finding[] {
  const table = new FindingsTable(decodeFinding);
  for (const { partition, ...record } of stream) table.take(partition, record);
  return table.findings();
}

/**
 * Where a table differs from the open findings of a stream. A table may also have findings that are
 * not open; they must then be right, too.
 */
export function tableDifferences(
  stream: readonly RecordedFinding[],
  table: readonly ConsumerRow[],
): FindingDifference[] {
  const known = new Map(findingsIn(stream).map((it) => [it.id, it]));
  const rows = grouped(table, (it) => it.id);
  const sent = grouped(stream, (it) => it.key);
  return [...new Set([...known.keys(), ...rows.keys()])].flatMap((id) => {
    const problem = problemOf(known.get(id), rows.get(id) ?? []);
    if (problem === undefined) return [];
    return [{ id, problem, sent: (sent.get(id) ?? []).map((it) => it.what) }];
  });
}

function problemOf(finding: Finding | undefined, rows: readonly ConsumerRow[]): string | undefined {
  const [row] = rows;
  if (rows.length > 1) return `it is in the table ${rows.length} times`;
  if (finding === undefined)
    return 'it is in the table, and must not be: it was forgotten, or never was a finding';
  const right = `revision ${finding.revision}, ${finding.state}`;
  if (row === undefined)
    return isOpen(finding) ? `it is not in the table, and must be: ${right}` : undefined;
  return row.revision === finding.revision && row.state === finding.state
    ? undefined
    : `the table has revision ${row.revision}, ${row.state}; it must be ${right}${isOpen(finding) ? '' : ', or no row'}`;
}

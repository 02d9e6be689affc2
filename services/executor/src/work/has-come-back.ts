import type { ActionRecord } from '@ovn-steward/contracts/actions/action';

/** Of what was removed, and is not being put back, and was not wanted back. */
const REMOVED: ReadonlySet<string> = new Set(['done', 'settled']);

/**
 * Whether the finding is about a thing that came back after this action had removed it: it was seen
 * to be deleted when that was written, and was first seen dead after the finding of this action was
 * confirmed, both by the sources' clocks. An executor's own clock does not count: it may be an hour
 * ahead. For actions of an earlier version the time is unknown: then the systems alone say whether
 * the thing exists again.
 */
export const hasComeBack = (
  { state, code, finding: { confirmedAt } }: Pick<ActionRecord, 'state' | 'code' | 'finding'>,
  firstSeen: string,
): boolean =>
  state === 'done' &&
  REMOVED.has(code) &&
  (confirmedAt === undefined || Date.parse(confirmedAt) < Date.parse(firstSeen));

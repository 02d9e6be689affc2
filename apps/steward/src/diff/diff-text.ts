import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from '../output/colours';
import type { AuditDifference } from './compare';

/** A comparison for a person, piece by piece. */
export function* diffText(difference: AuditDifference): Generator<string> {
  const { cluster, before, after, unchanged } = difference;
  const side = ({ asOf, findings }: typeof before): string =>
    `${safeText(asOf, 40)} (${findings} findings)`;
  yield `${pc.bold(safeText(cluster))}  ${side(before)} → ${side(after)}\n`;
  yield* part('New', difference.new, ({ finding, couldNotBeJudged }) => [
    finding,
    couldNotBeJudged ? 'could not be judged before: it may have been there' : '',
  ]);
  yield* part('Resolved', difference.resolved, (it) => [it, '']);
  yield* part('Changed', difference.changed, (it) => [it.after, it.fields.join(', ')]);
  yield* part(
    'Could not be judged any more, and may still be there',
    difference.notJudged,
    (it) => [it.finding, it.reason],
  );
  yield `\n${difference.new.length} new, ${difference.resolved.length} resolved, ${difference.changed.length} changed, ${difference.notJudged.length} not judged any more, ${unchanged} as before.\n`;
}

function* part<T>(
  title: string,
  all: readonly T[],
  lineOf: (it: T) => readonly [finding: Finding, note: string],
): Generator<string> {
  if (all.length === 0) return;
  yield `\n${pc.bold(title)}\n`;
  for (const entry of all) {
    const [{ id, severity, rule, summary }, remark] = lineOf(entry);
    yield `  ${pc.dim(safeText(id.slice(0, 10)))} ${safeText(severity)} ${safeText(rule)}: ${safeText(summary)}${remark === '' ? '' : pc.dim(` (${safeText(remark, 500)})`)}\n`;
  }
}

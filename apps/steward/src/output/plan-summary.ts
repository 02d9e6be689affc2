import { entryText, type Plan } from '@ovn-steward/executor';
import { causesText } from '@ovn-steward/contracts/findings/by-cause';
import { counted } from '@ovn-steward/shared/counted';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';

const SHOWN = 20;

/** What is known beside a plan. */
interface Beside {
  /** What would become of it now (`foreseenText`). */
  readonly foreseen?: readonly string[];
  /** Why there may be more to do than it says. */
  readonly doubt?: string | undefined;
  /** Where it was written, if it was. */
  readonly file?: string | undefined;
}

/** What a plan would do, for a person, and what is next. */
export function planSummary(plan: Plan, { foreseen = [], doubt, file }: Beside = {}): string {
  const { entries, leftOut, id, cluster } = plan;
  const unripe = entries
    .filter((it) => it.ripeAt > plan.createdAt)
    .map((it) => it.ripeAt)
    .sort();
  return [
    pc.bold(
      `Plan ${safeText(id.slice(0, 12))} for the cluster ${safeText(cluster)}: ${counted(entries.length, 'action')}`,
    ),
    ...entries.slice(0, SHOWN).map((it) => `  ${entryText(it)}`),
    ...(entries.length > SHOWN ? [`  and ${entries.length - SHOWN} more`] : []),
    ...section('Of one cause', causesText(entries)),
    ...(leftOut.length > 0
      ? [
          '',
          pc.bold('Left out'),
          ...leftOut.slice(0, SHOWN).map(({ reason, count }) => `  ${count} ${safeText(reason)}`),
          ...(leftOut.length > SHOWN ? ['  and for other reasons; the plan has them'] : []),
        ]
      : []),
    '',
    ...foreseen,
    entries.length > 0
      ? 'Nothing was changed.'
      : doubt === undefined
        ? 'Nothing to do.'
        : 'Whether there is anything to do is not known.',
    ...(unripe.length > 0
      ? [
          `Seen only once: ${unripe.length}; they can be applied from ${safeText(unripe.at(-1)!, 40)} on.`,
        ]
      : []),
    ...(entries.length > 0 && file !== undefined
      ? [
          `Next: read ${safeText(file)}, then steward apply ${safeText(file)} with the same inputs, before ${safeText(plan.expiresAt, 40)}`,
        ]
      : []),
    '',
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', pc.bold(title), ...lines.map((it) => safeText(it))];

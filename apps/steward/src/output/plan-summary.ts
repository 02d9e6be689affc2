import { entryText, type Plan } from '@ovn-steward/executor';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';

const SHOWN = 20;

/** What a plan would do, for a person, and what is next. @param file where the plan was written, if it was. */
export function planSummary(plan: Plan, file?: string): string {
  const { entries, leftOut, id, cluster } = plan;
  const unripe = entries
    .filter((it) => it.ripeAt > plan.createdAt)
    .map((it) => it.ripeAt)
    .sort();
  return [
    pc.bold(
      `Plan ${id.slice(0, 12)} for the cluster ${cluster}: ${entries.length} ${entries.length === 1 ? 'action' : 'actions'}`,
    ),
    ...entries.slice(0, SHOWN).map((it) => `  ${entryText(it)}`),
    ...(entries.length > SHOWN ? [`  and ${entries.length - SHOWN} more`] : []),
    ...(leftOut.length > 0
      ? [
          '',
          pc.bold('Left out'),
          ...leftOut.slice(0, SHOWN).map(({ reason, count }) => `  ${count} ${safeText(reason)}`),
          ...(leftOut.length > SHOWN ? ['  and for other reasons; the plan has them'] : []),
        ]
      : []),
    '',
    entries.length === 0 ? 'Nothing to do.' : 'Nothing was changed.',
    ...(unripe.length > 0
      ? [`Seen only once: ${unripe.length}; they can be applied from ${unripe.at(-1)} on.`]
      : []),
    ...(entries.length > 0 && file !== undefined
      ? [
          `Next: read ${safeText(file)}, then steward apply ${safeText(file)} with the same inputs, before ${plan.expiresAt}`,
        ]
      : []),
    '',
  ].join('\n');
}

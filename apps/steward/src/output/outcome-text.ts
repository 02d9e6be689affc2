import type { Plan } from '@ovn-steward/executor';
import { type ActionRecord, isCarriedOut } from '@ovn-steward/contracts/actions/action';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { ChannelOptions } from '../inputs/decisions';
import { colours as pc } from './colours';
import { undoHint } from './undo-hint';

const COLOUR: Readonly<Record<string, (text: string) => string>> = {
  done: pc.green,
  refused: pc.yellow,
  failed: pc.red,
  undone: pc.yellow,
};

/** One decision about one entry, on one line. */
export const decidedText = ({ state, action, target, reason }: ActionRecord): string =>
  `${(Object.hasOwn(COLOUR, state) ? COLOUR[state]! : pc.dim)(safeText(state, 20).padEnd(8))} ${safeText(action)} ${safeText(describe(target))}${target.part === undefined ? '' : ` [${safeText(target.part.key)}]`}${state === 'done' ? '' : `: ${safeText(reason)}`}`;

/**
 * What became of a plan: how many of its entries ended how, and how to go on.
 * @param options as given, for what is to be said again.
 */
export function outcomeText(
  plan: Plan,
  actions: readonly ActionRecord[],
  interrupted: boolean,
  options: ChannelOptions,
): string {
  const counts = new Map<string, number>();
  for (const { state } of actions) counts.set(state, (counts.get(state) ?? 0) + 1);
  const untouched = plan.entries.length - actions.length;
  const done = actions.filter(isCarriedOut).length;
  const still = plan.entries.length - done;
  return [
    '',
    `${interrupted ? 'Interrupted. ' : ''}Of ${plan.entries.length}: ${[...[...counts].map(([state, count]) => `${count} ${safeText(state, 20)}`), ...(untouched > 0 ? [`${untouched} not touched`] : [])].join(', ')}.`,
    ...(still > 0
      ? [
          'What is not done is not done later by itself: apply the plan again while it is valid, or make another with steward plan.',
        ]
      : []),
    ...(done > 0 ? [`To have it put back: ${undoHint(plan.id, options)}`] : []),
    '',
  ].join('\n');
}

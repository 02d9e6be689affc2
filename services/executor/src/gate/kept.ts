import { compareValues } from '@ovn-steward/shared/compare';
import { endOfKeeping, type Keeping } from '@ovn-steward/contracts/control/keeping';
import { SELECTOR_MEMBERS } from '@ovn-steward/contracts/identity/selector';
import { maySelect, type Selected } from '@ovn-steward/contracts/control/selects';
import { noSuchRule } from '@ovn-steward/judgement/rule-named';

/**
 * What keeps a finding from being acted on, the longest of several; undefined when nothing does.
 * What may be meant is kept: a place the finding does not name may be the one that is, and a rule
 * there is not may be a slip.
 * @param now milliseconds since 1970.
 */
export function keptOn(
  finding: Selected,
  kept: Iterable<Keeping>,
  now: number,
): Keeping | undefined {
  return [...kept]
    .filter((it) => now < endOfKeeping(it) && maySelect(ofKnownRule(it), finding))
    .sort((a, b) => endOfKeeping(b) - endOfKeeping(a) || compareValues(textOf(a), textOf(b)))[0];
}

const ofKnownRule = ({ selector: { rule, ...selector } }: Keeping): Keeping['selector'] =>
  rule === undefined || noSuchRule(rule) !== undefined ? selector : { rule, ...selector };

const textOf = ({ kind, selector, by, at, reason }: Keeping): string =>
  JSON.stringify([kind, Object.entries(selector).sort(), by, at, reason]);

/** The code of an action that is not done since it is kept. */
export const keptCode = ({ kind }: Keeping): 'suppressed' | 'protected' =>
  kind === 'suppress' ? 'suppressed' : 'protected';

/** The same in words. */
export function keepingText(keeping: Keeping): string {
  const { kind, selector, by, reason, until } = keeping;
  const named =
    SELECTOR_MEMBERS.flatMap((it) =>
      selector[it] === undefined ? [] : [`${it} ${selector[it]}`],
    ).join(', ') || 'what cannot be read, which may be anything';
  return `${by} ${keptCode(keeping)} ${named} (${reason}) until ${endOfKeeping(keeping) === Infinity ? (by === 'settings' ? 'the setting is changed' : `somebody ends it with steward un${kind}`) : until}`;
}

import type { StandingDecisions } from '@ovn-steward/executor';
import type { Scope } from '@ovn-steward/contracts/control/control';
import type { KeepingKind } from '@ovn-steward/contracts/control/keeping';
import { type Selector, selectorKey } from '@ovn-steward/contracts/identity/selector';
import { scopeText } from './decision-text';
import { selectorText } from './selector-text';

/** What was in force before; where that cannot be read, why. */
type Before = StandingDecisions | { readonly unknown: string };

/** How many others are named; `steward holds` and `steward suppressions` show all. */
const MOST = 5;

/** What a resume brought about: a hold of another scope may hold the same. */
export function resumedLine(scope: Scope, cluster: string, before: Before): string {
  const what = scopeText(scope, cluster);
  if ('unknown' in before) return unknownLine(`the hold of ${what}`, before.unknown);
  const others = before.holds.filter((it) => !isSameScope(it.scope, scope));
  return [
    others.length < before.holds.length
      ? `No longer on hold: ${what}.`
      : `There is no hold of exactly this: ${what}.`,
    othersText('Still on hold', 'No other hold is in force.', [
      ...others.map((it) => scopeText(it.scope, cluster)),
    ]),
  ].join(' ');
}

const WORDS = {
  suppress: { done: 'suppressed', noun: 'suppression' },
  protect: { done: 'protected', noun: 'protection' },
} as const;

/** What the end of a suppression or protection brought about: another may be about the same. */
export function keptNoMoreLine(
  kind: KeepingKind,
  selector: Selector,
  cluster: string,
  before: Before,
): string {
  const { done, noun } = WORDS[kind];
  const what = `${selectorText(selector)} of cluster ${cluster}`;
  if ('unknown' in before) return unknownLine(`the ${noun} of ${what}`, before.unknown);
  const all = before.kept.filter((it) => it.kind === kind);
  const others = all.filter((it) => selectorKey(it.selector) !== selectorKey(selector));
  return [
    others.length < all.length
      ? `No longer ${done}: ${what}.`
      : `There is no ${noun} of exactly this: ${what}.`,
    othersText(`Still ${done}`, `No other ${noun} is in force.`, [
      ...others.map((it) => selectorText(it.selector)),
    ]),
  ].join(' ');
}

const unknownLine = (which: string, why: string): string =>
  `Ended, if there is one: ${which}. Whether there is one, and which others go on, is not known: ${why}`;

function othersText(begin: string, none: string, others: readonly string[]): string {
  if (others.length === 0) return none;
  const more = others.length > MOST ? ` and ${others.length - MOST} more` : '';
  return `${begin}: ${others.slice(0, MOST).join('; ')}${more}.`;
}

const isSameScope = (one: Scope, other: Scope): boolean =>
  (['rule', 'vpc', 'subnet'] as const).every((it) => one[it] === other[it]);

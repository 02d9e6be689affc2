import { compareValues } from '@ovn-steward/shared/compare';
import { endOfKeeping, type Keeping } from '@ovn-steward/contracts/control/keeping';
import { surelySelects } from '@ovn-steward/contracts/control/selects';
import type { Finding, Suppression } from '@ovn-steward/contracts/findings/finding';

/**
 * By what a finding is suppressed now; `unknown` while nobody knows what people decided: then what
 * was shown last goes on.
 */
export type SuppressedBy = (finding: Finding) => Keeping | undefined | 'unknown';

/**
 * The suppression of a finding, the longest of several. Only what is meant for certain is hidden,
 * so one whose end cannot be read suppresses nothing.
 * @param now milliseconds since 1970.
 */
export function suppressionOf(
  finding: Finding,
  keepings: Iterable<Keeping>,
  now: number,
): Keeping | undefined {
  const endOf = (it: Keeping): number =>
    it.until === null || !Number.isNaN(Date.parse(it.until)) ? endOfKeeping(it) : -Infinity;
  return [...keepings]
    .filter(
      (it) => it.kind === 'suppress' && now < endOf(it) && surelySelects(it.selector, finding),
    )
    .sort((a, b) => endOf(b) - endOf(a) || compareValues(a.at, b.at))[0];
}

/** What a finding says of its suppression now; undefined where there is none. */
export function suppressedNow(
  before: Finding | undefined,
  plain: Finding,
  suppressedBy: SuppressedBy,
): Suppression | undefined {
  const state = plain.state;
  if (state !== 'suspected' && state !== 'confirmed') return undefined;
  const by = suppressedBy(plain);
  if (by === 'unknown') return before?.suppressed && { ...before.suppressed, state };
  if (by === undefined) return undefined;
  const { reason, by: who, at, until, selector } = by;
  return { state, reason, by: who, since: at === '' ? null : at, until, selector };
}

/** The finding as it is shown. */
export const shownAs = (plain: Finding, suppressed: Suppression | undefined): Finding =>
  suppressed === undefined ? plain : { ...plain, state: 'suppressed', suppressed };

/**
 * The finding as it would be, were it not suppressed. One of a later version, which does not say
 * what it would be, stays as it is.
 */
export function plainOf(shown: Finding): Finding {
  if (shown.suppressed === undefined) return shown;
  const { suppressed, ...rest } = shown;
  return { ...rest, state: shown.state === 'suppressed' ? suppressed.state : shown.state };
}

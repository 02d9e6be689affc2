import type { Prepared, Refusal } from '../action-kit/action';
import type { NotApplied } from '../work/apply-effect';

type Outcome = Prepared | Refusal | { readonly is: 'applied' } | NotApplied;

/**
 * What came of it, in one line to compare with: `prepared`, `applied`, or `refused <code>: <reason>`.
 * A test that fails then shows why, where a matcher of `is` and `code` shows these alone.
 */
export const outcomeText = (it: Outcome): string =>
  it.is === 'refused' ? `refused ${it.code}: ${it.reason}` : it.is;

/** What `outcomeText` says of a refusal with this code. */
export const refusedAs = (code: (Refusal | NotApplied)['code']): RegExp =>
  new RegExp(`^refused ${code}: `);

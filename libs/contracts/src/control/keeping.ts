import type { Control } from './control';
import { type Decider, deciderOf } from './decided-by';
import type { ReadControl } from './read-control';
import { type Selector, selectorIn } from '../identity/selector';

/** `suppress`: neither reported as open nor acted on. `protect`: reported, and not acted on. */
export const KEEPING_KINDS = ['suppress', 'protect'] as const;
export type KeepingKind = (typeof KEEPING_KINDS)[number];

/** A suppression or protection as it stands, whether or not its time is over. */
export interface Keeping extends Pick<Decider, 'authenticated' | 'signedBy'> {
  readonly kind: KeepingKind;
  readonly selector: Selector;
  readonly reason: string;
  /** Who decided, or `settings`. */
  readonly by: string;
  /** RFC 3339; empty where nobody can say. */
  readonly at: string;
  /** RFC 3339; null: until somebody ends it. */
  readonly until: string | null;
}

/**
 * When it is over, ms since 1970; where it says nothing of it, or nothing that can be read, never.
 */
export const endOfKeeping = ({ until }: Pick<Keeping, 'until'>): number =>
  until === null || Number.isNaN(Date.parse(until)) ? Infinity : Date.parse(until);

/** What a decision of a person keeps; undefined for one that ends it, and for any other. */
export function keepingBy(control: Control): Keeping | undefined {
  if (control.type !== 'suppress' && control.type !== 'protect') return undefined;
  const { type: kind, selector, reason, at, until } = control;
  return { kind, selector, reason, ...deciderOf(control), at, until };
}

/**
 * What is kept by what stands last under the key `<cluster>/<kind>/<text>`. What cannot be read, is
 * refused, or is of a later version may keep all that its key names: for who acts, unknown means
 * keep. Undefined where nothing is kept.
 */
export function keepingUnder(
  kind: KeepingKind,
  text: string,
  read: ReadControl,
): Keeping | undefined {
  if ('forgotten' in read) return undefined;
  if ('control' in read) return keepingBy(read.control);
  const why =
    'refused' in read
      ? `a record there was refused (${read.why}), and may lie over one that counts`
      : 'what stands there cannot be read';
  return {
    kind,
    selector: selectorIn(text),
    reason: `${why}; end it with steward un${kind} of the same selector, and decide again`,
    by: 'nobody knows',
    at: '',
    until: null,
  };
}

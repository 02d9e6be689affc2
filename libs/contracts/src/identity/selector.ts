import { ascendingBy } from '@ovn-steward/shared/compare';
import { z } from 'zod';

/**
 * Which findings a suppression or a protection is about: all that is named must match, and at least
 * one is named. A member that a later version added is kept, since it is part of what was decided
 * and of its key.
 */
export const Selector = z.looseObject({
  /** The id of one finding. */
  finding: z.string().optional(),
  rule: z.string().optional(),
  class: z.string().optional(),
  vpc: z.string().optional(),
  subnet: z.string().optional(),
  /** Of the subject, or of what its proof names as its owner. */
  namespace: z.string().optional(),
  /** The uid of a row or an object; or `Kind/name`, `Kind/namespace/name`. */
  subject: z.string().optional(),
});
export type Selector = z.infer<typeof Selector>;

/** What this version knows a selector by, in the order in which it is said. */
export const SELECTOR_MEMBERS = [
  'finding',
  'rule',
  'class',
  'vpc',
  'subnet',
  'namespace',
  'subject',
] as const;
export type SelectorMember = (typeof SELECTOR_MEMBERS)[number];

/**
 * The same text for the same selector, in whatever order its members were written: the end of a
 * record's key.
 */
export const selectorKey = (selector: Selector): string =>
  JSON.stringify(
    Object.entries(selector)
      .filter(([, value]) => value !== undefined)
      .sort(ascendingBy(([key]) => key)),
  );

/**
 * The selector a key names; of one that cannot be read one that names nothing, which may be
 * anything.
 */
export function selectorIn(text: string): Selector {
  try {
    const entries: unknown = JSON.parse(text);
    const read = Array.isArray(entries)
      ? Selector.safeParse(Object.fromEntries(entries as [string, unknown][])).data
      : undefined;
    return read !== undefined && selectorKey(read) === text ? read : {};
  } catch {
    return {};
  }
}

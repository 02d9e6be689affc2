import { messageOf } from '@ovn-steward/shared/errors';
import type { z } from 'zod';
import { isNestedBeyond } from './nesting';
import { type Issue, isUnknownWord } from './unknown-word';

/** What a record is that nobody here can read: why, for a dead letter. */
export interface Poison {
  readonly poison: string;
}

/**
 * A document as it was written: members that this version does not know are still there, and so are
 * unknown words.
 */
export interface ReadDocument<T> {
  readonly document: T;
  /**
   * Whether this version knows every word in it. What has an unknown word is kept and shown, and
   * nobody acts on it.
   */
  readonly understood: boolean;
}

/**
 * Real documents stay below 40. What is nested deeper may be more than `JSON.stringify` can write
 * again.
 */
const DEEPEST = 128;

/** The JSON in the value of a record. Never throws. */
export function recordJson(value: Buffer): { readonly json: unknown } | Poison {
  try {
    return { json: JSON.parse(value.toString('utf8')) };
  } catch (error) {
    return { poison: `not JSON: ${messageOf(error)}` };
  }
}

/**
 * Reads the value of a record. Never throws. Unknown members are kept; unknown words, which a later
 * minor version added, are too, where `mayGrow` lets them; anything else that the schema does not
 * have, such as another major version, is poison.
 *
 * @param what the document with its article, for the reason: `a finding`.
 * @param mayGrow whether the list of words at that path is open; all of them are where it is not
 *   given.
 */
export function readDocument<T>(
  schema: z.ZodType<T>,
  what: string,
  value: Buffer,
  mayGrow?: (path: Issue['path']) => boolean,
): ReadDocument<T> | Poison {
  const read = recordJson(value);
  return 'poison' in read ? read : checkDocument(schema, what, read.json, mayGrow);
}

/** The same of what is JSON already. */
export function checkDocument<T>(
  schema: z.ZodType<T>,
  what: string,
  json: unknown,
  mayGrow: (path: Issue['path']) => boolean = () => true,
): ReadDocument<T> | Poison {
  if (isNestedBeyond(json, DEEPEST))
    return { poison: `not ${what} of version 1: it is nested more than ${DEEPEST} deep` };
  const { success, error } = schema.safeParse(json);
  if (success) return { document: json as T, understood: true };
  const wrong = error.issues.find((it) => !mayGrow(it.path) || !isUnknownWord(json, it));
  if (wrong === undefined) return { document: json as T, understood: false };
  const why = [wrong.path.join('.'), wrong.message].filter((it) => it !== '').join(' ');
  return { poison: `not ${what} of version 1: ${why}` };
}

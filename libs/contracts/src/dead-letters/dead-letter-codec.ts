import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { readDocument } from '../record/read-document';
import { timeText } from '../record/time-text';
import { DeadLetter } from './dead-letter';

/**
 * A record of the dead-letter topic, read: a letter, that one was replayed (RFC 3339, UTC), or what
 * is neither.
 */
export type DecodedLetter =
  /** As it was written: members that this version does not know are still there. */
  | { readonly letter: DeadLetter }
  | { readonly replayed: string; readonly at: string }
  | { readonly unreadable: string; readonly key: string };

/** A letter, under the original's key. */
export const encodeLetter = (letter: DeadLetter, at: Date): NewRecord => ({
  key: letter.key,
  value: JSON.stringify(letter),
  headers: { id: letter.id },
  timestamp: at.getTime(),
});

/** The letter was replayed: under its key, without a value. */
export const encodeReplayed = (letter: DeadLetter, at: Date): NewRecord => ({
  key: letter.key,
  value: null,
  headers: { id: letter.id },
  timestamp: at.getTime(),
});

/** Reads one record. Never throws. */
export function decodeLetter({
  key,
  value,
  headers,
  timestamp,
}: Pick<LogRecord, 'key' | 'value' | 'headers' | 'timestamp'>): DecodedLetter {
  const id = Object.hasOwn(headers, 'id') ? headers['id']! : undefined;
  if (value === null)
    return id === undefined
      ? { unreadable: 'it has neither a value nor an id', key }
      : { replayed: id, at: timeText(timestamp) };
  const read = readDocument(DeadLetter, 'a dead letter', value);
  return 'poison' in read
    ? { unreadable: `it is ${read.poison}`, key }
    : { letter: { ...read.document, truncated: read.document.truncated ?? false } };
}

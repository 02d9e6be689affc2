import { ascendingBy } from '@ovn-steward/shared/compare';
import type { DeadLetter } from './dead-letter';
import type { Log } from '@ovn-steward/shared/log/log';
import { readDeadLetters } from './read-dead-letters';
import { replayRefusal } from './replay-dead-letter';

/** Bytes of a value: enough to see what it is. */
const BEGINNING = 200;

/** A letter without the bytes it keeps, and what became of it. */
export interface ListedLetter extends Omit<DeadLetter, 'value'> {
  /** Of the dead-letter topic: where the letter itself lies. */
  readonly stored: { readonly partition: number; readonly offset: bigint };
  /** Of the value as far as it was kept; null for a tombstone. */
  readonly bytes: number | null;
  /** The first of them, read as UTF-8: not fit for a terminal. */
  readonly beginning: string;
  /** RFC 3339, UTC; null when it was not yet. */
  readonly replayedAt: string | null;
  /** Why it can never be replayed. */
  readonly refusal?: string;
}

export interface UnreadableLetter {
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly why: string;
}

export interface DeadLetterList {
  /** Oldest first; one for each id, the last. */
  readonly letters: readonly ListedLetter[];
  readonly unreadable: readonly UnreadableLetter[];
}

/** What lies in the dead-letter topic, without the large part. Throws as `Log.read` does. */
export async function listDeadLetters(log: Log): Promise<DeadLetterList> {
  const letters = new Map<string, ListedLetter>();
  const replayed = new Map<string, string>();
  const unreadable: UnreadableLetter[] = [];
  for await (const { partition, offset, is } of readDeadLetters(log)) {
    if ('unreadable' in is) unreadable.push({ partition, offset, key: is.key, why: is.unreadable });
    else if ('replayed' in is) replayed.set(is.replayed, is.at);
    else letters.set(is.letter.id, listed(is.letter, { partition, offset }));
  }
  const all = [...letters.values()].map((letter) => ({
    ...letter,
    replayedAt: replayed.get(letter.id) ?? null,
  }));
  return { letters: all.sort(ascendingBy((it) => it.at)), unreadable };
}

function listed(letter: DeadLetter, stored: ListedLetter['stored']): ListedLetter {
  const { value, ...rest } = letter;
  const bytes = value === null ? null : Buffer.from(value, 'base64');
  const refusal = replayRefusal(letter);
  return {
    ...rest,
    stored,
    bytes: bytes && bytes.length,
    beginning: bytes ? bytes.subarray(0, BEGINNING).toString('utf8') : '',
    replayedAt: null,
    ...(refusal !== undefined && { refusal }),
  };
}

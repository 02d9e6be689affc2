import type { Headers, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { SourceId } from '../identity/reference';
import { checkDocument, type Poison, recordJson } from '../record/read-document';
import { isReplayed } from '../record/replay-of';
import { timeText } from '../record/time-text';
import { Change, changeKey, Delete, ChangePosition, type Put } from './change';
import { implausible } from './change-bounds';
import { changeName, isStreamRecord, keyContradiction } from './change-name';

/** A record of the changes topic, read. */
export type DecodedChange =
  /**
   * Not `understood`: a word in it is of a later version, such as the reason why a stream is
   * unavailable. `replayed`: it was set aside once, and sent again by hand.
   */
  | { readonly change: Change; readonly understood: boolean; readonly replayed: boolean }
  /** The tombstone behind a deletion, which says the same as that. */
  | { readonly tombstone: Delete; readonly replayed: boolean }
  /** A tombstone that says nothing but that what stood under its key is forgotten. */
  | { readonly forgotten: string }
  /** Of a type, or of the source `of`, that only a later version knows: why, for a dead letter. */
  | { readonly later: string; readonly of?: string }
  /**
   * `forged`: it is well formed, and its writer cannot have published that yet
   * (`change-bounds.ts`).
   */
  | (Poison & { readonly forged?: true });

type Encoded = Pick<LogRecord, 'key' | 'value' | 'headers' | 'timestamp'>;

/**
 * One change as records of the log: JSON under the entity's key. A deletion is its record, then a
 * tombstone under the same key, so that compaction removes the entity at last; both carry (id,
 * stream, epoch, seq) in headers, since a tombstone has no value to identify it.
 *
 * @param contents the JSON of a put's object, where that was written already: it is most of the
 * record, and writing it most of the work.
 */
export function encodeChange(change: Change, contents?: string): NewRecord[] {
  const key = changeKey(change);
  const timestamp = Date.parse(change.observedAt);
  const value = textOf(change, contents);
  if (change.type !== 'delete') return [{ key, value, timestamp }];
  const headers = headersOf(change);
  return [
    { key, value, headers, timestamp },
    { key, value: null, headers, timestamp },
  ];
}

/**
 * A tombstone without a position: nobody knows what became of the thing.
 * @param at milliseconds since 1970.
 */
export const encodeForgottenChange = (key: string, at: number): NewRecord => ({
  key,
  value: null,
  headers: {},
  timestamp: at,
});

function textOf(change: Change, contents: string | undefined): string {
  if (change.type !== 'put' || contents === undefined) return JSON.stringify(change);
  const { object: _written, ...others } = change;
  return `${JSON.stringify(others).slice(0, -1)},"object":${contents}}`;
}

const headersOf = ({ id, stream, epoch, seq }: Delete): Headers => ({
  id,
  stream,
  epoch: String(epoch),
  seq: String(seq),
});

/**
 * Reads one record. Never throws. A record under a key that is not its own, or with what its writer
 * cannot have yet, is poison: compaction keeps the last record of a key, and the greatest epoch
 * wins forever. Of what is understood, members that this version does not know are left out.
 */
export function decodeChange(record: Encoded): DecodedChange {
  const { value } = record;
  if (value === null) return decodeTombstone(record);
  const read = recordJson(value);
  if ('poison' in read) return itIs(read);
  const { success, data } = Change.safeParse(read.json);
  if (!success) return decodeLater(record, read.json);
  return placed(record, withParsedObject(data, read.json as Put), true);
}

/**
 * With the object as it was parsed. The schema copies it, and a copy made member by member takes
 * more memory than one that was parsed as a whole; the world holds millions.
 */
function withParsedObject(change: Change, { object }: Pick<Put, 'object'>): Change {
  if (change.type !== 'put' || Object.hasOwn(object, '__proto__')) return change;
  return { ...change, object };
}

/** A change that is well formed, unless it cannot stand there. */
function placed(record: Encoded, change: Change, understood: boolean): DecodedChange {
  const wrong = keyContradiction(record.key, change);
  if (wrong !== undefined) return { poison: wrong };
  const unbelievable = implausible(change, record.timestamp);
  return unbelievable === undefined
    ? { change, understood, replayed: isReplayed(record) }
    : { poison: unbelievable, forged: true };
}

/** The reason as a clause: a gap in a stream is reported with it. */
const itIs = ({ poison }: Poison): Poison => ({ poison: `it is ${poison}` });

/**
 * What has words that this version does not know: a change all the same, where it knows the type
 * and the source.
 */
function decodeLater(record: Encoded, json: unknown): DecodedChange {
  const read = checkDocument(Change, 'a change', json);
  if ('poison' in read) return itIs(read);
  const place = checkDocument(ChangePosition, 'a change', json);
  if ('poison' in place) return itIs(place);
  const { cluster, source, type } = place.document;
  if (isWord(SourceId.options, source) && isWord(TYPES, type))
    return placed(record, read.document, false);
  if (!record.key.startsWith(`${cluster}/${source}/`))
    return { poison: `its key does not begin with ${cluster}/${source}/, which it is about` };
  return isWord(SourceId.options, source)
    ? { later: `its type ${type} is of a later version` }
    : { later: `its source ${source} is of a later version`, of: source };
}

const TYPES = Change.options.map((it) => it.shape.type.value);

const isWord = (words: readonly string[], word: string): boolean => words.includes(word);

function decodeTombstone(record: Encoded): DecodedChange {
  const { key, headers, timestamp } = record;
  const name = changeName(key);
  if (name === undefined || isStreamRecord(name.kind)) return { forgotten: key };
  const { success, data: change } = Delete.safeParse({
    type: 'delete',
    version: 1,
    id: headers['id'],
    ...name,
    stream: headers['stream'],
    epoch: Number(headers['epoch']),
    seq: Number(headers['seq']),
    cursor: '',
    observedAt: timeText(timestamp),
    name: '',
  });
  if (!success) return { forgotten: key };
  const why = implausible(change, timestamp);
  return why === undefined
    ? { tombstone: change, replayed: isReplayed(record) }
    : { poison: why, forged: true };
}

import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import { KEEPING } from './control';
import { aboutOf } from './control-about';
import type { ControlEntry, ReadControl } from './read-control';

/** What was proven to stand under a key. */
interface ProvenRecord {
  /** Milliseconds since 1970: when the newest that counted was signed. */
  readonly at: number;
  readonly signature: string;
  /** Whether it keeps something, and is not the end of that. */
  readonly keeps: boolean;
  /**
   * The record itself, where it keeps something or ends that: it is appended again over what lies
   * on it.
   */
  readonly record: NewRecord | undefined;
}

/** What is known of the signed records of the control topic, as far as it was read. */
export interface Newest {
  readonly byKey: Map<string, ProvenRecord>;
  /**
   * Keys of what keeps something over whose newest proven record another lies that counts for
   * nothing: compaction would keep that one.
   */
  readonly hidden: Set<string>;
}

export const nothingRead = (): Newest => ({ byKey: new Map(), hidden: new Set() });

/** A record that is not acted on. */
export interface IgnoredRecord {
  readonly record: LogRecord;
  readonly why: string;
  /** For metrics, where nobody is proven to have meant it; undefined for what cannot be read. */
  readonly refused: RefusedFor | undefined;
}

/**
 * Reads records in their order: what is to be folded, and what is to be set aside.
 *
 * Of signed records one counts only when it was signed later than all that counted under its key
 * before: appending an old one again (a resume of before the hold, an approval that was withdrawn)
 * moves nothing. The same record again is a repetition, and says nothing new. A withdrawal counts also
 * when it was signed in the same moment: two people decided at once, and the one who stops it has the
 * last word. A hold behind the end
 * of one holds all the same, and is counted as `replayed`: the clock of its signer may be behind,
 * and repeating an old one only stops things. Behind another hold it does not count: it might end
 * before that. What is refused is not folded, except under the key of a hold of which nothing
 * proven is known: there it may lie over a hold that compaction took. What applies to holds here
 * applies to suppressions and protections.
 *
 * @param readRecord reads one record (`readControl`).
 * @param newest what is known so far; grows by what is read.
 */
export function newestOf(
  records: readonly LogRecord[],
  newest: Newest,
  readRecord: (record: LogRecord) => ReadControl,
): { readonly fold: readonly ControlEntry[]; readonly aside: readonly IgnoredRecord[] } {
  const fold: ControlEntry[] = [];
  const aside: IgnoredRecord[] = [];
  for (const record of records) {
    const { key } = record;
    const read = inItsTurn(record, readRecord(record), newest);
    if (read === 'repeated') continue;
    if ('late' in read) {
      aside.push({ record, why: read.why, refused: 'replayed' });
      fold.push({ key, read: read.late });
      continue;
    }
    if ('poison' in read) aside.push({ record, why: read.poison, refused: undefined });
    if ('refused' in read) {
      aside.push({ record, why: read.why, refused: read.refused });
      if (!isOfKeeping(key)) continue;
      if (newest.byKey.has(key)) {
        newest.hidden.add(key);
        continue;
      }
    }
    fold.push({ key, read });
  }
  return { fold, aside };
}

/**
 * The proven records that lie under others which count for nothing, to be appended again as they
 * were signed. The call clears the list: it counts them as published.
 */
export function hiddenIn({ byKey, hidden }: Newest): readonly NewRecord[] {
  const records = [...hidden].flatMap((key) => byKey.get(key)?.record ?? []);
  hidden.clear();
  return records;
}

/** Whether what stands under the key keeps something from being removed, or ends that. */
const isOfKeeping = (key: string): boolean => Object.hasOwn(KEEPING, aboutOf(key)?.kind ?? '');

const BEGINNINGS: ReadonlySet<string> = new Set(Object.values(KEEPING).map((it) => it.begins));

/** A hold that was signed behind what ended another. */
interface Late {
  readonly late: ControlEntry['read'];
  readonly why: string;
}

/**
 * What is read, once it is known to be newer than all that counted before; `repeated` for what
 * counts already.
 */
function inItsTurn(
  { key, value, headers, timestamp, origin }: LogRecord,
  read: ControlEntry['read'],
  { byKey, hidden }: Newest,
): ControlEntry['read'] | Late | 'repeated' {
  if (origin?.is !== 'proven' || 'refused' in read) return read;
  const { at, signature } = origin;
  const known = byKey.get(key);
  if (known !== undefined && known.signature === signature) {
    hidden.delete(key);
    return 'repeated';
  }
  const keeps = 'control' in read && BEGINNINGS.has(read.control.type);
  const isBehind = known !== undefined && (at < known.at || (at === known.at && !withdraws(read)));
  const why = isBehind ? behindText(at, known.at) : '';
  if (isBehind && (!keeps || known.keeps)) return { refused: 'replayed', why };
  const record = isOfKeeping(key) ? { key, value, headers, timestamp } : undefined;
  // A late hold is ended by what is signed after all that counted, and by no repetition of what
  // ended the one before.
  byKey.set(key, { at: isBehind ? known.at : at, signature, keeps, record });
  hidden.delete(key);
  return isBehind
    ? { late: read, why: `${why}; it holds all the same, until somebody ends it` }
    : read;
}

const withdraws = (read: ControlEntry['read']): boolean =>
  'control' in read && read.control.type === 'withdraw';

const behindText = (at: number, known: number): string =>
  `it was signed at ${new Date(at).toISOString()}, and what stands there at ${new Date(known).toISOString()}: an old record was appended again, or a clock was set back`;

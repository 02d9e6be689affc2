import type { LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import type { RefusedFor } from '@ovn-steward/shared/signing/origin';
import { aboutOf } from './control-about';
import type { ToldControl } from './control-state';
import { readControl } from './read-control';

/** What was proven to stand under a key. */
interface Standing {
  readonly at: number;
  readonly signature: string;
  /** Itself, where it is of a hold: what lies over it is to be told over. */
  readonly record: NewRecord | undefined;
}

/** What is known of the signed records of the control topic, as far as it was read. */
export interface Newest {
  readonly byKey: Map<string, Standing>;
  /** Keys of holds over whose newest proven record another lies that counts for nothing: compaction would keep that one. */
  readonly hidden: Set<string>;
}

export const nothingRead = (): Newest => ({ byKey: new Map(), hidden: new Set() });

/** A record that is not acted on. */
export interface NotHeeded {
  readonly record: LogRecord;
  readonly why: string;
  /** For metrics, where nobody is proven to have meant it; undefined for what cannot be read. */
  readonly refused: RefusedFor | undefined;
}

/**
 * Reads records in their order: what is to be folded, and what is to be set aside.
 *
 * Of signed records one counts only when it was signed later than all that counted under its key before: whoever appends an old one again (a resume
 * of before the hold, an approval that was withdrawn) moves nothing. The same record again is a repetition, and says nothing new.
 * What is refused is not folded, but under the key of a hold of which nothing proven is known: there it may lie over a hold that compaction took.
 *
 * @param newest what is known so far; grows by what is read.
 */
export function newestOf(
  records: readonly LogRecord[],
  newest: Newest,
): { readonly fold: readonly ToldControl[]; readonly aside: readonly NotHeeded[] } {
  const [fold, aside]: [ToldControl[], NotHeeded[]] = [[], []];
  for (const record of records) {
    const { key } = record;
    const read = inItsTurn(record, readControl(record), newest);
    if (read === 'repeated') continue;
    if ('poison' in read) aside.push({ record, why: read.poison, refused: undefined });
    if ('refused' in read) {
      aside.push({ record, why: read.why, refused: read.refused });
      if (!isHold(key)) continue;
      if (newest.byKey.has(key)) {
        newest.hidden.add(key);
        continue;
      }
    }
    fold.push({ key, read });
  }
  return { fold, aside };
}

/** What lies under others that count for nothing, to be appended again as it was signed; from then on it is taken for told. */
export function hiddenIn({ byKey, hidden }: Newest): readonly NewRecord[] {
  const records = [...hidden].flatMap((key) => byKey.get(key)?.record ?? []);
  hidden.clear();
  return records;
}

const isHold = (key: string): boolean => aboutOf(key)?.kind === 'hold';

/** What is read, once it is known to be newer than all that counted before; `repeated` for what counts already. */
function inItsTurn(
  { key, value, headers, timestamp, origin }: LogRecord,
  read: ToldControl['read'],
  { byKey, hidden }: Newest,
): ToldControl['read'] | 'repeated' {
  if (origin?.is !== 'proven' || 'refused' in read) return read;
  const { at, signature } = origin;
  const known = byKey.get(key);
  if (known !== undefined && known.signature === signature) {
    hidden.delete(key);
    return 'repeated';
  }
  if (known !== undefined && at <= known.at)
    return {
      refused: 'replayed',
      why: `it was signed at ${new Date(at).toISOString()}, and what stands there at ${new Date(known.at).toISOString()}: an old record was appended again, or a clock was set back`,
    };
  const record = isHold(key) ? { key, value, headers, timestamp } : undefined;
  byKey.set(key, { at, signature, record });
  hidden.delete(key);
  return read;
}

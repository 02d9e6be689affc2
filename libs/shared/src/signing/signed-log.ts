import type { Log, LogBatch, LogRecord, NewRecord } from '../log/log';
import { ACTIONS, CONTROL } from '../log/topics';
import type { Origin } from '../log/origin';
import { SIGNATURE_HEADER } from './signature-header';
import { signatureFor, type SigningKey } from './signing-key';
import type { TrustedKeys } from './trusted-keys';
import { verifyRecord } from './verify-record';

/** Of a record that was not verified, whatever it says. */
const UNSIGNED: Origin = { is: 'unsigned' };

/** The topics whose records move an executor. */
export const SIGNED_TOPICS: ReadonlySet<string> = new Set([CONTROL, ACTIONS]);

export interface SignedLogOptions {
  /** What is appended is signed with it; without, nothing is. */
  readonly key?: SigningKey | undefined;
  /**
   * The trusted keys, as of now; undefined: what is read is not verified, and counts as unsigned.
   */
  readonly trusted?: (() => TrustedKeys) | undefined;
  /** Whether a record without a signature is refused. */
  readonly required: boolean;
  /** Those whose records are signed and verified; control and actions unless given. */
  readonly topics?: ReadonlySet<string>;
  /** ms since the epoch. */
  readonly now?: () => number;
}

/**
 * A log whose records of control and actions are signed when they are appended, and name their
 * signer when they are read (`LogRecord.origin`): readers refuse what is not proven. A record that
 * has a signature already is appended as it is. The other topics are as they were.
 *
 * The times of signatures grow from record to record, beyond all proven ones this log has read
 * before: a signer that read a partition to its end signs later than all others in it, whatever
 * their clocks say.
 */
export function signedLog(log: Log, options: SignedLogOptions): Log {
  const { key, trusted, required, topics = SIGNED_TOPICS, now = Date.now } = options;
  let latest = 0;
  const originOf = (
    topic: string,
    partition: number,
    record: LogRecord,
    keys: TrustedKeys,
  ): LogRecord => {
    const origin = verifyRecord({ ...record, topic, partition }, { keys, required, now: now() });
    if (origin.is === 'proven') latest = Math.max(latest, origin.at);
    return { ...record, origin };
  };
  const verified = <B extends LogBatch>(batch: B): B => {
    if (!topics.has(batch.topic)) return batch;
    if (trusted === undefined)
      return { ...batch, records: batch.records.map((it) => ({ ...it, origin: UNSIGNED })) };
    const keys = trusted();
    const records = batch.records.map((it) => originOf(batch.topic, batch.partition, it, keys));
    return { ...batch, records };
  };
  const signed = (topic: string, partition: number, record: NewRecord): NewRecord => {
    if (key === undefined || record.headers?.[SIGNATURE_HEADER] !== undefined) return record;
    latest = Math.max(latest + 1, now());
    const signature = signatureFor({ ...record, topic, partition }, key, latest);
    return { ...record, headers: { ...record.headers, [SIGNATURE_HEADER]: signature } };
  };
  return {
    ensureTopics: (specs) => log.ensureTopics(specs),
    append: (topic, partition, records) =>
      log.append(
        topic,
        partition,
        topics.has(topic) ? records.map((it) => signed(topic, partition, it)) : records,
      ),
    read: async (topic, partition, from, max) =>
      verified(await log.read(topic, partition, from, max)),
    consume: (how) => log.consume({ ...how, onBatch: (batch) => how.onBatch(verified(batch)) }),
    commit: (group, positions) => log.commit(group, positions),
    committed: (group) => log.committed(group),
    watermarks: (topic, partition) => log.watermarks(topic, partition),
    close: () => log.close(),
  };
}

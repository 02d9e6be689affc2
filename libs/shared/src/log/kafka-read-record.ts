import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { Headers, LogRecord } from './log';

/** What kafkajs keeps with a message of the batch it came in, beside what its types say. */
interface InBatch {
  readonly isControlRecord?: boolean;
  readonly batchContext?: BatchContext;
}

export interface BatchContext {
  readonly firstOffset: string;
  readonly lastOffsetDelta: number;
  readonly producerId: string;
  readonly inTransaction: boolean;
}

const contextOf = (message: KafkaMessage): BatchContext | undefined =>
  (message as InBatch).batchContext;

/** A transaction's end: takes an offset, and is no record. */
export const isMarker = (message: KafkaMessage): boolean =>
  (message as InBatch).isControlRecord === true;

/** The producer whose transaction the message belongs to. */
export const transactionOf = (message: KafkaMessage): string | undefined =>
  contextOf(message)?.inTransaction === true ? contextOf(message)?.producerId : undefined;

/**
 * The offset after the batch that a message came in, which compaction leaves as it was: what is
 * between is removed for good.
 */
export function batchEnd(message: KafkaMessage): bigint {
  const context = contextOf(message);
  const after = BigInt(message.offset) + 1n;
  if (!context) return after;
  const end = BigInt(context.firstOffset) + BigInt(context.lastOffsetDelta) + 1n;
  return end > after ? end : after;
}

const NONE: Headers = Object.freeze({});

/** A header may be repeated in Kafka, which ours never are: the last counts. */
function headersOf(headers: IHeaders | undefined): Headers {
  const entries = Object.entries(headers ?? {});
  return entries.length === 0
    ? NONE
    : Object.fromEntries(
        entries.map(([name, value]) => [
          name,
          (Array.isArray(value) ? value.at(-1) : value)?.toString() ?? '',
        ]),
      );
}

/**
 * A message as the port has it. Others may write without a key, which ours never do: it is empty
 * then.
 */
export const recordOf = (message: KafkaMessage): LogRecord => ({
  offset: BigInt(message.offset),
  key: message.key?.toString() ?? '',
  value: message.value,
  headers: headersOf(message.headers),
  timestamp: Number(message.timestamp),
});

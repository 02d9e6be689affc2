import type { Batch, EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { KafkaConnection } from './kafka-client';
import type { Lane } from '../lane';
import type { ConsumedPlace, AssignedPartitions } from './kafka-consume-places';
import { startOf } from './kafka-read-start';
import { batchEnd, recordOf } from './kafka-read-record';
import type { ConsumeOptions } from './log';

const MAX_RECORDS = 500;

/** The coordinator's words for: the group is being divided again, or goes on without us. */
const MOVED = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

interface Heartbeats {
  /**
   * Whether the coordinator refused: the group must be joined again, which kafkajs does once the
   * handler has ended, so nothing more is begun.
   */
  refused(): boolean;
  stop(): void;
}

/** Sends the coordinator heartbeats for as long as the caller's handler takes. */
function sendHeartbeats(heartbeat: () => Promise<void>, everyMs: number): Heartbeats {
  let refused = false;
  const timer = setInterval(() => {
    heartbeat().catch((error: { readonly type?: string }) => {
      refused ||= error.type !== undefined && MOVED.has(error.type);
    });
  }, everyMs);
  return { refused: () => refused, stop: () => clearInterval(timer) };
}

export interface BatchesOptions {
  readonly connection: KafkaConnection;
  readonly options: ConsumeOptions;
  readonly places: AssignedPartitions;
  readonly lane: Lane;
  readonly over: () => boolean;
  readonly onThrown: (error: unknown) => void;
  readonly onBroken: (error: unknown) => void;
}

/** What kafkajs keeps with a batch, beside what its types say. */
const fetchedAt = (batch: Batch): bigint =>
  BigInt((batch as Batch & { readonly fetchedOffset: string }).fetchedOffset);

/** Hands what kafkajs fetched to the caller, in pieces, when it is what was to come next. */
export function createBatches({
  connection,
  options,
  places,
  lane,
  over,
  onThrown,
  onBroken,
}: BatchesOptions): (payload: EachBatchPayload) => Promise<void> {
  const take = async (
    place: ConsumedPlace,
    batch: Batch,
    heartbeats: Heartbeats,
  ): Promise<void> => {
    const halted = (): boolean => over() || place.lost || heartbeats.refused();
    if (halted()) return;
    try {
      if (await isNext(connection, place, fetchedAt(batch))) {
        const last = batch.messages.at(-1);
        const after = BigInt(batch.lastOffset()) + 1n; // with the markers behind the last record
        const end = last && (batchEnd(last) > after ? batchEnd(last) : after);
        if (end !== undefined)
          await handOver(place, batch.messages, end, { options, halted, onThrown });
      }
      if (!over() && !place.lost) places.seek(place);
    } catch (error) {
      onBroken(error);
    }
  };

  return async ({ batch, heartbeat }) => {
    const place = places.get(batch.topic, batch.partition);
    if (over() || !place?.ready) return; // nothing is resolved, so it is fetched again when it is wanted
    const heartbeats = sendHeartbeats(heartbeat, connection.timing.heartbeatMs / 2);
    try {
      await lane.run(() => take(place, batch, heartbeats));
    } finally {
      heartbeats.stop();
    }
  };
}

/**
 * Whether a batch is what was to come next. kafkajs silently goes to the beginning when its
 * position is not in the log any more, passes over what holds no records for readers, and may bring
 * what it fetched before it was sent elsewhere.
 */
async function isNext(
  connection: KafkaConnection,
  place: ConsumedPlace,
  fetched: bigint,
): Promise<boolean> {
  const { topic, partition, position } = place;
  if (fetched === position) return true;
  const ends = await connection.watermarks(topic, partition);
  place.position = startOf(topic, partition, place.fromBeginning ? 0n : position, ends);
  if (fetched === place.position) return true;
  if (fetched > position && place.passed !== undefined && fetched >= place.passed) return true; // twice from the position to here: nothing is between
  place.passed = fetched;
  return false;
}

/** @param end the offset behind the last of the messages. */
async function handOver(
  place: ConsumedPlace,
  messages: readonly KafkaMessage[],
  end: bigint,
  {
    options: { onBatch, maxRecords = MAX_RECORDS },
    halted,
    onThrown,
  }: Pick<BatchesOptions, 'options' | 'onThrown'> & { readonly halted: () => boolean },
): Promise<void> {
  const { topic, partition } = place;
  for (let at = 0; at < messages.length && !halted(); at += maxRecords) {
    const records = messages.slice(at, at + maxRecords).map(recordOf);
    const next = at + maxRecords < messages.length ? (records.at(-1)?.offset ?? 0n) + 1n : end;
    try {
      await onBatch({ topic, partition, records, next });
    } catch (error) {
      return onThrown(error);
    }
    place.position = next;
    place.fromBeginning = false;
    delete place.passed;
  }
}

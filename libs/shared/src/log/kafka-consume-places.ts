import type { Consumer } from 'kafkajs';
import type { KafkaConnection } from './kafka-client';
import type { Lane } from '../lane';
import { startOf } from './kafka-read-start';
import type { ConsumeOptions } from './log';

/**
 * A partition given to this reader, from when it is given until it is taken. Given again, it is a
 * new place.
 */
export interface Place {
  readonly topic: string;
  readonly partition: number;
  /** The next offset wanted, once it is ready. */
  position: bigint;
  /** The caller wanted the beginning, wherever that is, and has got nothing yet. */
  fromBeginning: boolean;
  /**
   * The caller's position was requested, so the caller must be notified when the partition is
   * revoked.
   */
  isRequested: boolean;
  /** Fetched from. */
  ready: boolean;
  lost: boolean;
  /** Where fetching went on by itself, once it was sent back to the position. */
  passed?: bigint;
}

export interface AssignedPartitions {
  /**
   * Takes what is not assigned any more, and gives what is; what was kept without a break goes on.
   */
  assign(assignment: Readonly<Record<string, readonly number[]>>, unbroken: boolean): void;
  get(topic: string, partition: number): Place | undefined;
  all(): readonly Place[];
  seek(place: Place): void;
  /** Takes everything; settles once the caller was notified. Throws what its `onRevoked` throws. */
  giveUp(): Promise<void>;
}

export interface AssignedPartitionsOptions {
  readonly connection: KafkaConnection;
  readonly consumer: Pick<Consumer, 'pause' | 'resume' | 'seek'>;
  readonly options: ConsumeOptions;
  readonly lane: Lane;
  /** The caller's function threw, or a position is lost. */
  readonly onThrown: (error: unknown) => void;
  /** Kafka failed. */
  readonly onBroken: (error: unknown) => void;
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;

function emitAssignment(
  { onEvent }: KafkaConnection,
  group: string,
  type: 'partitions-assigned' | 'partitions-revoked',
  places: readonly Place[],
): void {
  const verb = type === 'partitions-assigned' ? 'was given' : 'gave back';
  for (const topic of new Set(places.map((place) => place.topic))) {
    const partitions = places
      .filter((place) => place.topic === topic)
      .map(({ partition }) => partition);
    onEvent({
      type,
      group,
      topic,
      partitions,
      detail: `A reader of ${group} ${verb} ${partitions.length} partitions of ${topic}: ${partitions.join(', ')}.`,
    });
  }
}

/**
 * Which partitions one consumer holds, and where it is in each: the group's positions are never
 * read.
 */
export function createPlaces({
  connection,
  consumer,
  options,
  lane,
  onThrown,
  onBroken,
}: AssignedPartitionsOptions): AssignedPartitions {
  let held = new Map<string, Place>();

  const seek = ({ topic, partition, position }: Place): void =>
    consumer.seek({ topic, partition, offset: `${position}` });

  const revoke = async (place: Place): Promise<void> => {
    if (!place.isRequested) return;
    place.isRequested = false;
    await options.onRevoked?.(place.topic, place.partition);
  };

  /** Gets from the caller where to resume; undefined when it threw. */
  const requestPosition = async (place: Place): Promise<bigint | undefined> => {
    place.isRequested = true;
    try {
      return await options.resumeAt(place.topic, place.partition);
    } catch (error) {
      place.isRequested = false;
      onThrown(error);
      return undefined;
    }
  };

  const start = async (place: Place): Promise<void> => {
    const { topic, partition } = place;
    if (place.lost) return;
    const from = await requestPosition(place);
    if (from === undefined || place.lost) return;
    try {
      place.position = startOf(
        topic,
        partition,
        from,
        await connection.watermarks(topic, partition),
      );
      if (place.lost) return;
      place.fromBeginning = from === 0n;
      seek(place);
      place.ready = true;
      consumer.resume([{ topic, partitions: [partition] }]);
    } catch (error) {
      onBroken(error);
    }
  };

  /** Those that are not held any more. */
  const drop = (before: Map<string, Place>): readonly Place[] => {
    const lost = [...before.values()].filter(
      (place) => held.get(keyOf(place.topic, place.partition)) !== place,
    );
    for (const place of lost) place.lost = true;
    emitAssignment(connection, options.group, 'partitions-revoked', lost);
    return lost;
  };

  return {
    assign(assignment, unbroken) {
      const before = held;
      held = new Map();
      const given: Place[] = [];
      for (const [topic, partitions] of Object.entries(assignment)) {
        for (const partition of partitions) {
          const kept = unbroken ? before.get(keyOf(topic, partition)) : undefined;
          const place = kept ?? {
            topic,
            partition,
            position: 0n,
            fromBeginning: false,
            isRequested: false,
            ready: false,
            lost: false,
          };
          held.set(keyOf(topic, partition), place);
          if (!kept) given.push(place);
          else if (kept.ready) seek(kept); // kafkajs forgets with every generation where it was
        }
      }
      consumer.pause(given.map(({ topic, partition }) => ({ topic, partitions: [partition] }))); // until the caller said where to resume
      const lost = drop(before);
      emitAssignment(connection, options.group, 'partitions-assigned', given);
      for (const place of lost) lane.run(() => revoke(place)).catch(onThrown);
      for (const place of given) void lane.run(() => start(place));
    },
    get: (topic, partition) => held.get(keyOf(topic, partition)),
    all: () => [...held.values()],
    seek,
    async giveUp() {
      const before = held;
      held = new Map();
      const lost = drop(before);
      await lane.run(async () => {
        for (const place of lost) await revoke(place);
      });
    },
  };
}

import type { Consumer } from 'kafkajs';
import type { KafkaConnection } from './kafka-client';
import type { Lane } from '../lane';
import { startOf } from './kafka-read-start';
import type { ConsumeOptions } from './log';
import { revokeEach } from './revoke-each';

/**
 * A partition given to this reader, from when it is given until it is taken. Given again, it is a
 * new place.
 */
export interface ConsumedPlace {
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
  places: readonly ConsumedPlace[],
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
export class AssignedPartitions {
  readonly #options: AssignedPartitionsOptions;
  #held = new Map<string, ConsumedPlace>();

  constructor(options: AssignedPartitionsOptions) {
    this.#options = options;
  }

  /**
   * Takes what is not assigned any more, and gives what is; what was kept without a break goes on.
   */
  assign(assignment: Readonly<Record<string, readonly number[]>>, unbroken: boolean): void {
    const { connection, consumer, options, lane, onThrown } = this.#options;
    const before = this.#held;
    this.#held = new Map();
    const given: ConsumedPlace[] = [];
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) {
        const kept = unbroken ? before.get(keyOf(topic, partition)) : undefined;
        const place = kept ?? newPlace(topic, partition);
        this.#held.set(keyOf(topic, partition), place);
        if (!kept) given.push(place);
        else if (kept.ready) this.seek(kept); // kafkajs forgets with every generation where it was
      }
    }
    consumer.pause(given.map(({ topic, partition }) => ({ topic, partitions: [partition] }))); // until the caller said where to resume
    const lost = this.#drop(before);
    emitAssignment(connection, options.group, 'partitions-assigned', given);
    for (const place of lost) lane.run(() => this.#revoke(place)).catch(onThrown);
    for (const place of given) void lane.run(() => this.#start(place));
  }

  get(topic: string, partition: number): ConsumedPlace | undefined {
    return this.#held.get(keyOf(topic, partition));
  }

  all(): readonly ConsumedPlace[] {
    return [...this.#held.values()];
  }

  seek({ topic, partition, position }: ConsumedPlace): void {
    this.#options.consumer.seek({ topic, partition, offset: `${position}` });
  }

  /**
   * Takes everything; settles once the caller was notified of each partition. Throws the first that
   * its `onRevoked` throws.
   */
  async giveUp(): Promise<void> {
    const before = this.#held;
    this.#held = new Map();
    const lost = this.#drop(before);
    await this.#options.lane.run(() => revokeEach(lost, (place) => this.#revoke(place)));
  }

  /** Those that are not held any more. */
  #drop(before: ReadonlyMap<string, ConsumedPlace>): readonly ConsumedPlace[] {
    const { connection, options } = this.#options;
    const lost = [...before.values()].filter(
      (place) => this.get(place.topic, place.partition) !== place,
    );
    for (const place of lost) place.lost = true;
    emitAssignment(connection, options.group, 'partitions-revoked', lost);
    return lost;
  }

  async #revoke(place: ConsumedPlace): Promise<void> {
    if (!place.isRequested) return;
    place.isRequested = false;
    await this.#options.options.onRevoked?.(place.topic, place.partition);
  }

  async #start(place: ConsumedPlace): Promise<void> {
    const { connection, consumer, onBroken } = this.#options;
    const { topic, partition } = place;
    if (place.lost) return;
    const from = await this.#requestPosition(place);
    if (from === undefined || place.lost) return;
    try {
      const ends = await connection.watermarks(topic, partition);
      place.position = startOf(topic, partition, from, ends);
      if (place.lost) return;
      place.fromBeginning = from === 0n;
      this.seek(place);
      place.ready = true;
      consumer.resume([{ topic, partitions: [partition] }]);
    } catch (error) {
      // Of a partition that another reader has now, nothing is wanted any more.
      if (!place.lost) onBroken(error);
    }
  }

  /** Gets from the caller where to resume; undefined when it threw. */
  async #requestPosition(place: ConsumedPlace): Promise<bigint | undefined> {
    place.isRequested = true;
    try {
      return await this.#options.options.resumeAt(place.topic, place.partition);
    } catch (error) {
      place.isRequested = false;
      this.#options.onThrown(error);
      return undefined;
    }
  }
}

const newPlace = (topic: string, partition: number): ConsumedPlace => ({
  topic,
  partition,
  position: 0n,
  fromBeginning: false,
  isRequested: false,
  ready: false,
  lost: false,
});

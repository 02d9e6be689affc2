import type { Database } from './sqlite-database';
import { Failure } from '../errors';
import type { TopicSpec } from './log';
import { harmfulLines, harmlessNotes, keepsMore, type TopicDifference } from './topic-difference';

/**
 * A partition as the file has it; the code that commits a change keeps it in step with the file.
 * Offsets stay far below 2^53.
 */
export interface StoredPartition {
  readonly id: number;
  readonly topic: TopicSpec;
  readonly number: number;
  low: number;
  high: number;
  /** Below it compaction has been: every key has one record. */
  cleaned: number;
}

interface PartitionRow {
  readonly id: number;
  readonly number: number;
  readonly low: number;
  readonly high: number;
  readonly cleaned: number;
}

function differences(desired: TopicSpec, found: TopicSpec): TopicDifference[] {
  const ours = Object.entries(desired);
  const theirs = new Map<string, unknown>(Object.entries(found));
  return ours
    .filter(([setting, value]) => theirs.get(setting) !== value)
    .map(([setting, value]) => ({
      topic: desired.name,
      text: `${setting} is ${String(theirs.get(setting))}, not ${String(value)}`,
      harmless: keepsMore(setting, Number(value), theirs.get(setting)),
    }));
}

export interface Topics {
  /** As `Log.ensureTopics`. */
  ensure(specs: readonly TopicSpec[]): readonly string[];
  /** Throws Failure `log-topic-unknown`. */
  partition(topic: string, number: number): StoredPartition;
  partitionsOf(topic: string): readonly StoredPartition[];
  all(): Iterable<StoredPartition>;
}

/** The topics of the file; read once, since this process is the only writer. */
export function loadTopics(db: Database): Topics {
  const known = new Map<string, StoredPartition[]>();
  const rowsOf = db.prepare<[string], PartitionRow>(
    'SELECT id, number, low, high, cleaned FROM partition WHERE topic = ? ORDER BY number',
  );
  const insertTopic = db.prepare('INSERT INTO topic VALUES (?, ?)');
  const insertPartition = db.prepare('INSERT INTO partition (topic, number) VALUES (?, ?)');

  const load = (topic: TopicSpec): void =>
    void known.set(
      topic.name,
      rowsOf.all(topic.name).map((row) => ({ ...row, topic })),
    );
  for (const { spec } of db.prepare<[], { spec: string }>('SELECT spec FROM topic').all())
    load(JSON.parse(spec) as TopicSpec);

  const create = (spec: TopicSpec): void => {
    insertTopic.run(spec.name, JSON.stringify(spec));
    for (let number = 0; number < spec.partitions; number += 1)
      insertPartition.run(spec.name, number);
  };

  const partitionsOf = (topic: string): readonly StoredPartition[] => {
    const partitions = known.get(topic);
    if (!partitions)
      throw new Failure(
        'log-topic-unknown',
        `The log has no topic ${topic}. Start a service that creates it.`,
      );
    return partitions;
  };

  return {
    ensure(specs) {
      const drift = specs.flatMap((spec) =>
        differences(spec, known.get(spec.name)?.[0]?.topic ?? spec),
      );
      const harmful = harmfulLines(drift);
      if (harmful.length > 0)
        throw new Failure(
          'log-topic-drift',
          `Topics are not as they must be: ${harmful.join('; ')}. Nothing brings back what they did not keep: start a new log in another state directory.`,
        );
      const missing = specs.filter((spec) => !known.has(spec.name));
      db.transaction(() => missing.forEach(create)).immediate();
      missing.forEach(load);
      return harmlessNotes(drift);
    },
    partition(topic, number) {
      const partition = partitionsOf(topic)[number];
      if (!partition)
        throw new Failure(
          'log-topic-unknown',
          `Topic ${topic} has no partition ${number}: it has 0 to ${partitionsOf(topic).length - 1}.`,
        );
      return partition;
    },
    partitionsOf,
    *all() {
      for (const partitions of known.values()) yield* partitions;
    },
  };
}

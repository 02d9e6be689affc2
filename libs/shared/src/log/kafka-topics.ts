import { type Admin, ConfigResourceTypes } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../counted';
import { Failure } from '../errors';
import { AnswersByTopic } from './answers-by-topic';
import type { KafkaConnection } from './kafka-client';
import type { TopicSpec } from './log';
import {
  harmfulLines,
  harmlessNotes,
  keepsMore,
  mendingOf,
  type TopicDifference,
} from './topic-difference';

/**
 * What a setting is called here and by Kafka, what it must be, and which other values do as well.
 */
interface DesiredTopic {
  readonly setting: string;
  readonly config: string;
  readonly value: string;
  readonly allows?: (found: string) => boolean;
}

/** Brokers may compress, but not with what kafkajs cannot read. */
const READABLE = new Set(['producer', 'uncompressed', 'gzip']);

/** What must hold of the topic for the promises of `Log`, replicas aside. */
function desiredOf(spec: TopicSpec): DesiredTopic[] {
  const lasting: [string, string, number][] =
    spec.cleanup === 'compact'
      ? [
          ['minCompactionLagMs', 'min.compaction.lag.ms', spec.minCompactionLagMs],
          ['maxCompactionLagMs', 'max.compaction.lag.ms', spec.maxCompactionLagMs],
          ['deleteRetentionMs', 'delete.retention.ms', spec.deleteRetentionMs],
        ]
      : [
          ['retentionMs', 'retention.ms', spec.retentionMs],
          ['no limit by size', 'retention.bytes', -1],
        ];
  return [
    { setting: 'cleanup', config: 'cleanup.policy', value: spec.cleanup },
    ...lasting.map(([setting, config, value]) => ({ setting, config, value: String(value) })),
    {
      setting: 'maxMessageBytes',
      config: 'max.message.bytes',
      value: String(spec.maxMessageBytes),
    },
    {
      setting: 'compression',
      config: 'compression.type',
      value: 'producer',
      allows: (found) => READABLE.has(found),
    },
    { setting: 'timestamps', config: 'message.timestamp.type', value: 'CreateTime' },
  ];
}

/**
 * With three replicas or more two must have a record before it counts; one replica can be down, and
 * none is alone in knowing.
 */
const inSync = (replicas: number): DesiredTopic => ({
  setting: 'in-sync replicas',
  config: 'min.insync.replicas',
  value: replicas >= 3 ? '2' : '1',
  allows: (found) => replicas < 3 || Number(found) >= 2,
});

/**
 * The configuration a topic is made with, by the names of Kafka; also for other makers of topics
 * (the chart). An expired record goes with its segment: half again as late as it should, at most.
 * Compaction rolls segments by its own lag.
 */
export const madeWith = (spec: TopicSpec, replicas: number): { name: string; value: string }[] => [
  ...[...desiredOf(spec), inSync(replicas)].map(({ config, value }) => ({ name: config, value })),
  ...(spec.cleanup === 'delete'
    ? [{ name: 'segment.ms', value: String(Math.max(1, Math.ceil(spec.retentionMs / 2))) }]
    : []),
];

const configsOf = async (admin: Admin, topic: string): Promise<Map<string, string>> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
  });
  return new Map(
    resources.flatMap(({ configEntries }) =>
      configEntries.map(({ configName, configValue }) => [configName, configValue]),
    ),
  );
};

/** What of a topic's history is kept follows from these: no command brings back what is lost. */
const BEYOND_MENDING: ReadonlySet<string> = new Set(['cleanup']);

/** What is not as the spec has it. */
function differences(
  spec: TopicSpec,
  partitions: number,
  replicas: number,
  configs: ReadonlyMap<string, string>,
): TopicDifference[] {
  const topic = spec.name;
  const other = [...desiredOf(spec), inSync(replicas)].filter(({ config, value, allows }) => {
    const found = configs.get(config);
    return found !== value && !(found !== undefined && allows?.(found));
  });
  return [
    ...(partitions === spec.partitions
      ? []
      : [{ topic, text: `partitions is ${partitions}, not ${spec.partitions}`, harmless: false }]),
    ...other.map(({ setting, config, value }) => ({
      topic,
      text: `${setting} (${config}) is ${configs.get(config)}, not ${value}`,
      harmless: keepsMore(setting, Number(value), configs.get(config)),
      ...(!BEYOND_MENDING.has(setting) && { mend: { config, value } }),
    })),
  ];
}

export interface KafkaTopicsOptions {
  readonly replicationFactor: number;
  /** As Kafka's own commands take them. */
  readonly brokers: string;
}

/** Makes topics as their specs say, and finds what of existing ones is otherwise. */
export class KafkaTopics {
  readonly #connection: KafkaConnection;
  readonly #options: KafkaTopicsOptions;
  readonly #limits = new AnswersByTopic((topic) => this.#findLimit(topic));

  constructor(connection: KafkaConnection, options: KafkaTopicsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** As `Log.ensureTopics`. */
  async ensure(specs: readonly TopicSpec[]): Promise<readonly string[]> {
    const drift: TopicDifference[] = [];
    for (const spec of specs) {
      if (!(await this.#exists(spec.name))) await this.#make(spec);
      drift.push(...(await this.#verify(spec)));
      this.#limits.learn(spec.name, spec.maxMessageBytes);
    }
    const harmful = harmfulLines(drift);
    if (harmful.length > 0)
      throw new Failure(
        'log-topic-drift',
        `Topics are not as they must be: ${harmful.join('; ')}. To correct them: ${mendingOf(drift, this.#options.brokers).join('; ')}.`,
      );
    return harmlessNotes(drift);
  }

  /**
   * The largest batch that the topic takes; Infinity where we may not know, and the brokers have to
   * refuse what is too large. Throws Failure.
   */
  maxBytesOf(topic: string): Promise<number> {
    return this.#limits.of(topic);
  }

  async #exists(topic: string): Promise<boolean> {
    try {
      await this.#connection.partitionsOf(topic);
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === 'log-topic-unknown') return false;
      throw error;
    }
  }

  /** Another process may make it at the same time: that it is there already is no failure. */
  async #make(spec: TopicSpec): Promise<void> {
    const { replicationFactor } = this.#options;
    const topic = {
      topic: spec.name,
      numPartitions: spec.partitions,
      replicationFactor,
      configEntries: madeWith(spec, replicationFactor),
    };
    await this.#connection.query(
      `Creating topic ${spec.name} with ${counted(replicationFactor, 'replica')}`,
      (admin) => admin.createTopics({ topics: [topic], waitForLeaders: false }),
    );
  }

  /**
   * What the brokers have of it once all its partitions have leaders; a topic just made is not
   * known to all brokers at once.
   */
  async #verify(spec: TopicSpec): Promise<TopicDifference[]> {
    const { timing } = this.#connection;
    for (const end = performance.now() + timing.queryMs; ; await sleep(timing.retryMs)) {
      const late = performance.now() > end;
      try {
        const { ready, partitions, drift } = await this.#describe(spec);
        if (ready) {
          this.#connection.learnPartitions(spec.name, partitions);
          return drift;
        }
        if (late)
          throw new Failure(
            'log-unavailable',
            `Topic ${spec.name} has partitions without a leader: start the brokers that are down, then try again.`,
          );
      } catch (error) {
        if (late || !(error instanceof Failure) || error.code !== 'log-topic-unknown') throw error;
      }
    }
  }

  #describe(
    spec: TopicSpec,
  ): Promise<{ ready: boolean; partitions: number; drift: TopicDifference[] }> {
    return this.#connection.query(`Verifying topic ${spec.name}`, async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [spec.name] });
      const partitions = topics[0]?.partitions ?? [];
      const configs = await configsOf(admin, spec.name);
      const fewest = Math.min(...partitions.map(({ replicas }) => replicas.length));
      return {
        ready: partitions.length > 0 && partitions.every(({ leader }) => leader >= 0),
        partitions: partitions.length,
        drift: differences(spec, partitions.length, fewest, configs),
      };
    });
  }

  async #findLimit(topic: string): Promise<number> {
    try {
      const configs = await this.#connection.query(
        `Looking up how large a batch topic ${topic} takes`,
        (admin) => configsOf(admin, topic),
      );
      return Number(configs.get('max.message.bytes'));
    } catch (error) {
      if (error instanceof Failure && error.code === 'log-forbidden') return Infinity;
      throw error;
    }
  }
}

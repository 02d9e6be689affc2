import { Failure } from '../errors';
import { createKafkaAppender } from './kafka-append';
import { connectKafka } from './kafka-client';
import { createConsumers } from './kafka-consume';
import type { KafkaLogOptions } from './kafka-options';
import { publishPositions, readPositions } from './kafka-positions';
import { KafkaReader } from './kafka-read';
import { KafkaTopics } from './kafka-topics';
import type { Log } from './log';
import { OUR_PREFIX, withTopicPrefix } from './topic-prefix';

export type { KafkaLogEvent, KafkaLogOptions } from './kafka-options';

/**
 * The event log on Apache Kafka. Connects when first used; nothing hangs for ever: what the brokers
 * do not answer in time throws Failure `log-unavailable`, and a client that is refused gets
 * `log-forbidden`.
 */
export function openKafkaLog(options: KafkaLogOptions): Log {
  const { topicPrefix = OUR_PREFIX } = options;
  return withTopicPrefix(openLog(options), topicPrefix);
}

function openLog(options: KafkaLogOptions): Log {
  const connection = connectKafka(options);
  const topics = new KafkaTopics(connection, {
    replicationFactor: options.replicationFactor,
    brokers: options.brokers.join(','),
  });
  const appender = createKafkaAppender(connection, (topic) => topics.maxBytesOf(topic));
  const consumers = createConsumers(connection);
  const reader = new KafkaReader(connection);
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    await Promise.all([consumers.close(), reader.close(), appender.close()]);
    await connection.close();
  };
  const onLog = <T>(step: () => Promise<T>): Promise<T> => {
    if (closing)
      return Promise.reject(
        new Failure(
          'log-closed',
          `The event log at ${options.brokers.join(', ')} was closed: open it again.`,
        ),
      );
    return step();
  };

  return {
    ensureTopics: (specs) => onLog(() => topics.ensure(specs)),
    append: (topic, partition, records) => onLog(() => appender.append(topic, partition, records)),
    read: (topic, partition, from, max) => onLog(() => reader.read(topic, partition, from, max)),
    consume: (request) => onLog(() => consumers.consume(request)),
    commit: (group, positions) =>
      onLog(async () => {
        if (!(await consumers.commit(group, positions)))
          await publishPositions(connection, group, positions);
      }),
    committed: (group) => onLog(() => readPositions(connection, group)),
    watermarks: (topic, partition) => onLog(() => connection.watermarks(topic, partition)),
    close: () => (closing ??= close()),
  };
}

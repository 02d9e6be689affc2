import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { OUR_PREFIX } from '@ovn-steward/shared/log/topic-prefix';
import { kafkaLogOptions } from '@ovn-steward/shared/settings/kafka-settings';
import type { OpenSender, Outcome } from '../send/sender';
import { bodyOf, type Document } from './sink';

/** All records of a sink have one order. */
const PARTITION = 0;

/**
 * A sink that gets one record of a topic for each notification. The key is the group, so that a
 * compacted topic keeps how each group stands. A notification is delivered once the brokers
 * acknowledge it; sent again after a doubt it is there twice, with one id.
 */
export const overKafka =
  (type: Document): OpenSender =>
  ({ topic, timeout }, { kafka }) => {
    const options = {
      ...kafkaLogOptions(kafka),
      topicPrefix: OUR_PREFIX, // the name of the settings is the whole name
      timing: { appendMs: timeout, queryMs: timeout },
    };
    let opened: Promise<Log> | undefined;
    const open = async (): Promise<Log> => {
      // On demand: the command line does not load the client of Kafka for what needs none.
      const { openKafkaLog } = await import('@ovn-steward/shared/log/kafka-log');
      return openKafkaLog(options);
    };
    return {
      async send(message): Promise<Outcome> {
        const { group, at } = message.notification;
        const record = {
          key: group,
          value: JSON.stringify(bodyOf(type, message)),
          headers: type.headers?.(message.notification) ?? {},
          timestamp: Date.parse(at),
        };
        try {
          const log = await (opened ??= open());
          await log.append(topic!, PARTITION, [record]);
          return { delivered: true };
        } catch (error) {
          const refusedThis = error instanceof Failure && error.code === 'log-record-refused';
          return { delivered: false, ofSink: !refusedThis, why: messageOf(error) };
        }
      },
      close: async () => (await opened)?.close(),
    };
  };

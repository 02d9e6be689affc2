import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { OUR_PREFIX } from '@ovn-steward/shared/log/topic-prefix';
import { kafkaLogOptions } from '@ovn-steward/shared/settings/kafka-settings';
import type { OpenSender, Outcome } from '../send/sender';
import { bodyOf, type Document } from './sink';

/** All records of a sink have one order. */
const PARTITION = 0;

/**
 * A sink that gets one record of a topic for each notification. The key is the group, so that a compacted topic keeps how each group stands.
 * A notification is delivered once the brokers acknowledge it; sent again after a doubt it is there twice, with one id.
 */
export const overKafka =
  (type: Document): OpenSender =>
  ({ topic, timeout }, { kafka }) => {
    const log = openKafkaLog({
      ...kafkaLogOptions(kafka),
      topicPrefix: OUR_PREFIX, // the name of the settings is the whole name
      timing: { appendMs: timeout, queryMs: timeout },
    });
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
          await log.append(topic!, PARTITION, [record]);
          return { delivered: true };
        } catch (error) {
          const refusedThis = error instanceof Failure && error.code === 'log-record-refused';
          return { delivered: false, ofSink: !refusedThis, why: messageOf(error) };
        }
      },
      close: () => log.close(),
    };
  };

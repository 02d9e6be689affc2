import { attributesOf } from './cloudevents';
import { overKafka } from './over-kafka';
import type { Document } from './sink';

/**
 * A CloudEvent in binary mode on a topic: the attributes as headers in UTF-8, the notification as
 * the value (CloudEvents Kafka Protocol Binding 1.0.2, section 3.2).
 */
export const binaryRecord: Document = {
  headers: (notification) => ({
    'content-type': 'application/json',
    ...Object.fromEntries(
      Object.entries(attributesOf(notification)).map(([name, value]) => [`ce_${name}`, value]),
    ),
  }),
  body: (notification) => notification,
  actionsBody: (notification) => notification,
};

export const kafkaBinary = overKafka(binaryRecord);

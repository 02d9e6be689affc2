import { cloudevents } from './cloudevents';
import { overKafka } from './over-kafka';

/**
 * A CloudEvent in structured mode on a topic: attributes and notification in one value (CloudEvents
 * Kafka Protocol Binding 1.0.2, section 3.3).
 */
export const kafka = overKafka(cloudevents);

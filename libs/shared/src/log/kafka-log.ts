import { connectKafka } from './kafka-client';
import type { KafkaLogOptions } from './kafka-options';
import type { Log } from './log';

export type { KafkaLogEvent, KafkaLogOptions } from './kafka-options';

/** The event log on Apache Kafka. */
export function openKafkaLog(options: KafkaLogOptions): Log {
  connectKafka(options);
  throw new Error('not there yet');
}

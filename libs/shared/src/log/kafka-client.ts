import type { Admin, Kafka } from 'kafkajs';
import { Failure } from '../errors';
import type { KafkaLogEvent, KafkaLogOptions, KafkaTiming } from './kafka-options';
import type { Watermarks } from './log';

/** What the parts of the adapter share. */
export interface KafkaConnection {
  /** For consumers. */
  readonly kafka: Kafka;
  readonly timing: KafkaTiming;
  readonly onEvent: (event: KafkaLogEvent) => void;
  /** Aborted when the log ends. */
  readonly closed: AbortSignal;
  /** Connected, shared, replaced after a failure. Throws as `ask`. */
  admin(): Promise<Admin>;
  /** Asks the brokers, again while they cannot be reached, until `askMs` have passed; `what` as in "Reading topic x". Throws Failure. */
  ask<T>(what: string, question: (admin: Admin) => Promise<T>): Promise<T>;
  /** What an error of the client means; `what` as in "Reading topic x". A Failure stays as it is. */
  failure(error: unknown, what: string): Failure;
  /** As `failure`, where the group's coordinator was needed: the client hides why it was not found, so the brokers are asked. */
  groupFailure(error: unknown, group: string, what: string): Promise<Failure>;
  /** How many the topic has. Throws Failure `log-topic-unknown`. */
  partitionsOf(topic: string): Promise<number>;
  watermarks(topic: string, partition: number): Promise<Watermarks>;
}

export function connectKafka(_options: KafkaLogOptions): KafkaConnection {
  throw new Failure('log-unavailable', 'Not there yet.');
}

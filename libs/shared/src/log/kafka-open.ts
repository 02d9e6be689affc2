import { Kafka, type logCreator, logLevel, type SASLOptions } from 'kafkajs';
import type { KafkaLogOptions, KafkaTiming } from './kafka-options';
import { createSockets } from './kafka-sockets';
import { checkOnlyWhatWaits } from './kafka-waiting-requests';

checkOnlyWhatWaits();

/**
 * Tries inside the client, which know more than ours: the leader that moved. Ours, around them,
 * know when to stop.
 */
const CLIENT_TRIES = 3;

/** A client with sockets of its own. */
export interface KafkaClient {
  readonly kafka: Kafka;
  /** Gives it up: nothing it tries from now on leaves this process. */
  cut(): void;
}

let opened = 0;

/**
 * The brokers, another one first each time: kafkajs stays for long with the first where it accepts
 * connections and answers nothing.
 */
function inTurn(brokers: readonly string[]): string[] {
  const first = (opened += 1) % brokers.length;
  return [...brokers.slice(first), ...brokers.slice(0, first)];
}

const silent: logCreator = () => () => undefined;

export function openClient(
  options: KafkaLogOptions,
  timing: KafkaTiming,
  creator: logCreator = silent,
  level = logLevel.NOTHING,
): KafkaClient {
  const sockets = createSockets(options.socketFactory);
  const { brokers, clientId, tls, sasl } = options;
  const kafka = new Kafka({
    brokers: inTurn(brokers),
    clientId,
    logLevel: level,
    logCreator: creator,
    socketFactory: (socket) => sockets.factory(tls ? { ...socket, ssl: { ...tls() } } : socket),
    ssl: tls !== undefined,
    ...(sasl && { sasl: { ...sasl } as SASLOptions }), // copied: the client writes into it
    connectionTimeout: timing.connectMs,
    authenticationTimeout: timing.requestMs,
    requestTimeout: timing.requestMs,
    retry: {
      retries: CLIENT_TRIES,
      initialRetryTime: timing.retryMs,
      maxRetryTime: timing.maxRetryMs,
      multiplier: 2,
      factor: 0.2,
    },
  });
  return { kafka, cut: sockets.cut };
}

/**
 * Why the brokers do not name the group's coordinator; undefined when they do. The client writes it
 * to its log only.
 */
export async function coordinatorRefusal(
  options: KafkaLogOptions,
  timing: KafkaTiming,
  group: string,
): Promise<unknown> {
  let reason: unknown;
  const keepReason: logCreator =
    () =>
    ({ log }) =>
      void (log.groupId === group && (reason ??= log.error));
  const { kafka, cut } = openClient(options, timing, keepReason, logLevel.DEBUG);
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.describeGroups([group]);
    return undefined;
  } catch (error) {
    return reason ?? error;
  } finally {
    cut();
  }
}

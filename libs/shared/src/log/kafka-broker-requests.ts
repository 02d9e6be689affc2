import type { Admin } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../errors';
import { isHopeless } from './kafka-failure';
import type { KafkaClient } from './kafka-open';
import type { KafkaLogEvent, KafkaTiming } from './kafka-options';
import type { Within } from './kafka-within';

export interface BrokerRequests {
  /**
   * Queries the brokers, again while they cannot be reached, until `queryMs` have passed. Throws
   * Failure.
   */
  query<T>(what: string, question: (admin: Admin) => Promise<T>, group?: string): Promise<T>;
  close(): Promise<void>;
}

/** How much earlier than the clock of `performance` a timer may go off. */
const EARLY_MS = 20;

interface Used {
  readonly client: KafkaClient;
  readonly admin: Promise<Admin>;
}

/**
 * Requests to the brokers beside reading and appending, by one connection that is replaced when it
 * failed.
 */
export function createBrokerRequests({
  timing,
  closed,
  client: open,
  within,
  failure,
  onEvent,
}: {
  readonly timing: KafkaTiming;
  readonly closed: AbortSignal;
  client(): KafkaClient;
  readonly within: Within;
  failure(error: unknown, what: string, group?: string): Promise<Failure>;
  onEvent(event: KafkaLogEvent): void;
}): BrokerRequests {
  let current: Used | undefined;

  const connected = (): Used => {
    if (current) return current;
    const client = open();
    const admin = client.kafka.admin();
    return (current = { client, admin: admin.connect().then(() => admin) });
  };
  const giveUp = (used: Used): void => {
    used.client.cut();
    if (current === used) current = undefined;
  };

  return {
    async query(what, question, group) {
      const end = performance.now() + timing.queryMs;
      let before: Failure | undefined;
      for (let pause = timing.retryMs; ; pause = Math.min(2 * pause, timing.maxRetryMs)) {
        const used = connected();
        try {
          return await within(end - performance.now(), what, used.admin.then(question));
        } catch (error) {
          if (before && performance.now() >= end - EARLY_MS) throw before; // which says more than that the last try took too long
          const failed = (before = await failure(error, what, group));
          if (failed.code === 'log-unavailable' || failed.code === 'log-topic-unknown')
            giveUp(used); // the client keeps requesting topics that are deleted
          if (failed.code === 'log-unavailable')
            onEvent({ type: 'admin-replaced', detail: failed.message });
          if (
            failed.code !== 'log-unavailable' ||
            isHopeless(error) ||
            closed.aborted ||
            performance.now() + pause > end
          )
            throw failed;
        }
        await sleep(pause);
      }
    },
    async close() {
      const used = current;
      current = undefined;
      await used?.admin
        .then((admin) => within(timing.connectMs, 'Disconnecting', admin.disconnect()))
        .catch(() => undefined);
      used?.client.cut();
    },
  };
}

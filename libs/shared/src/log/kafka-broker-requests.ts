import type { Admin } from 'kafkajs';
import { Failure } from '../errors';
import { pause } from '../pause';
import { isHopeless } from './kafka-failure';
import type { KafkaClient } from './kafka-open';
import type { KafkaLogEvent, KafkaTiming } from './kafka-options';
import type { Within } from './kafka-within';

export interface BrokerRequests {
  /**
   * Queries the brokers, again while they cannot be reached, until `queryMs` have passed. Throws
   * Failure; `log-closed` instead of a try that would begin after the end, with a connection that
   * nobody closes.
   */
  query<T>(what: string, question: (admin: Admin) => Promise<T>, group?: string): Promise<T>;
  close(): Promise<void>;
}

/** How much earlier than the clock of `performance` a timer may go off. */
const EARLY_MS = 20;

export interface BrokerRequestsOptions {
  readonly timing: KafkaTiming;
  readonly closed: AbortSignal;
  client(): KafkaClient;
  readonly within: Within;
  failure(error: unknown, what: string, group?: string): Promise<Failure>;
  onEvent(event: KafkaLogEvent): void;
}

/**
 * Requests to the brokers beside reading and appending, by one connection that is replaced when it
 * failed.
 */
export function createBrokerRequests({
  timing,
  closed,
  client,
  within,
  failure,
  onEvent,
}: BrokerRequestsOptions): BrokerRequests {
  const connected = new AdminConnection(client);

  return {
    async query(what, question, group) {
      const end = performance.now() + timing.queryMs;
      let before: Failure | undefined;
      for (let wait = timing.retryMs; ; wait = Math.min(2 * wait, timing.maxRetryMs)) {
        if (closed.aborted)
          throw new Failure('log-closed', `${what}: the event log was closed. Open it again.`);
        const used = connected.get();
        try {
          return await within(end - performance.now(), what, used.admin.then(question));
        } catch (error) {
          if (before && performance.now() >= end - EARLY_MS) throw before; // which says more than that the last try took too long
          const failed = (before = await failure(error, what, group));
          if (failed.code === 'log-unavailable' || failed.code === 'log-topic-unknown')
            connected.giveUp(used); // the client keeps requesting topics that are deleted
          if (failed.code === 'log-unavailable')
            onEvent({ type: 'admin-replaced', detail: failed.message });
          if (
            failed.code !== 'log-unavailable' ||
            isHopeless(error) ||
            closed.aborted ||
            performance.now() + wait > end
          )
            throw failed;
        }
        await pause(wait, closed);
      }
    },
    async close() {
      const used = connected.take();
      await used?.admin
        .then((admin) => within(timing.connectMs, 'Disconnecting', admin.disconnect()))
        .catch(() => undefined);
      used?.client.cut();
    },
  };
}

interface Used {
  readonly client: KafkaClient;
  readonly admin: Promise<Admin>;
}

/** One connection at a time, opened when it is needed. */
class AdminConnection {
  readonly #open: () => KafkaClient;
  #current: Used | undefined;

  constructor(open: () => KafkaClient) {
    this.#open = open;
  }

  get(): Used {
    if (this.#current) return this.#current;
    const client = this.#open();
    const admin = client.kafka.admin();
    return (this.#current = { client, admin: admin.connect().then(() => admin) });
  }

  giveUp(used: Used): void {
    used.client.cut();
    if (this.#current === used) this.#current = undefined;
  }

  /** What is open, which the next to come does not get. */
  take(): Used | undefined {
    const used = this.#current;
    this.#current = undefined;
    return used;
  }
}

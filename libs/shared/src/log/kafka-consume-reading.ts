import { pause } from '../pause';
import type { FailureCode } from '../errors';
import type { KafkaConnection } from './kafka-client';
import { createLane, type Lane } from '../lane';
import { ConsumerSession, type Ending } from './kafka-consume-session';
import type { ConsumeOptions } from './log';

/** The pause before a new consumer doubles so often. */
const DOUBLINGS = 2;

/** What trying again cannot mend, or the caller must see. */
const FATAL = new Set<FailureCode>(['log-position-lost', 'log-forbidden', 'log-closed']);

/**
 * Settles as the promise does, or with undefined as soon as the signal aborts: a reader that is to
 * end does not wait for answers.
 */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  promise.catch(() => undefined); // it may fail when its result is not awaited any more
  let wake = (): void => undefined;
  const woken = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)));
  signal.addEventListener('abort', wake);
  if (signal.aborted) wake();
  try {
    return await Promise.race([promise, woken]);
  } finally {
    signal.removeEventListener('abort', wake);
  }
}

/** Throws Failure `log-topic-unknown`, `log-forbidden`; waits for brokers that do not answer. */
async function requireTopics(
  connection: KafkaConnection,
  topics: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const topic of topics) {
    while (!signal.aborted) {
      const found = await unlessAborted(
        signal,
        connection
          .partitionsOf(topic)
          .catch((error: unknown) => connection.failure(error, `Looking for topic ${topic}`)),
      );
      if (found === undefined || typeof found === 'number') break;
      if (found.retry === 'never' || FATAL.has(found.code)) throw found;
      await pause(connection.timing.backoffMs, signal);
    }
  }
}

/**
 * One `consume` while it lasts. Whatever happens to a consumer of kafkajs, another takes its place,
 * and resumes where the caller says; what then still ends in the background is in `leaving`.
 */
export class GroupReading {
  readonly group: string;
  /** Settles as `consume` does. */
  readonly done: Promise<void>;
  readonly #connection: KafkaConnection;
  readonly #options: ConsumeOptions;
  readonly #signal: AbortSignal;
  readonly #leaving: Set<Promise<void>>;
  #current: ConsumerSession | undefined;

  /** Starts following. */
  constructor(
    connection: KafkaConnection,
    options: ConsumeOptions,
    signal: AbortSignal,
    leaving: Set<Promise<void>>,
  ) {
    this.group = options.group;
    this.#connection = connection;
    this.#options = options;
    this.#signal = signal;
    this.#leaving = leaving;
    this.done = this.#follow(createLane());
  }

  /** The consumer of now; undefined between two. */
  session(): ConsumerSession | undefined {
    return this.#current;
  }

  async #follow(lane: Lane): Promise<void> {
    const connection = this.#connection;
    const options = this.#options;
    const signal = this.#signal;
    const { group, topics } = options;
    await requireTopics(connection, topics, signal);
    let leftBehind: string | undefined;
    for (let failures = 0; !signal.aborted;) {
      const session = new ConsumerSession(connection, options, lane, leftBehind);
      this.#current = session;
      const ending = await this.#run(session);
      if (ending.kind === 'thrown') throw ending.error;
      if (ending.kind === 'aborted') return;
      const failure = await unlessAborted(
        signal,
        connection.groupFailure(ending.error, group, `Following ${topics.join(', ')} as ${group}`),
      );
      if (!failure) return;
      if (FATAL.has(failure.code)) throw failure;
      failures = session.joined() ? 0 : failures + 1;
      leftBehind = session.memberId() ?? leftBehind;
      connection.onEvent({ type: 'consumer-restarted', group, detail: failure.message });
      await pause(connection.timing.backoffMs * 2 ** Math.min(failures, DOUBLINGS), signal);
    }
  }

  /** Waits for the consumer's end, and gives why once the caller has nothing left of it. */
  async #run(session: ConsumerSession): Promise<Ending> {
    const stop = (): void => session.end({ kind: 'aborted' });
    this.#signal.addEventListener('abort', stop);
    if (this.#signal.aborted) stop();
    const first = await session.ended;
    this.#signal.removeEventListener('abort', stop);
    if (first.kind === 'broken') session.cut(); // nothing of it is to be waited for
    const ending = await session.giveUp().then(
      () => first,
      (error: unknown): Ending => (first.kind === 'thrown' ? first : { kind: 'thrown', error }),
    );
    this.#current = undefined;
    const left = this.#leave(session); // one that broke down would go on trying, too
    if (first.kind !== 'broken' && session.joining())
      await this.#connection
        .within(this.#connection.timing.requestMs, `Leaving group ${this.group}`, left)
        .catch(() => undefined);
    session.cut();
    return ending;
  }

  /** Leaves the group in the background. */
  #leave(session: ConsumerSession): Promise<void> {
    const left = session
      .leave()
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
    return left;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, messageOf } from '../errors';
import type { KafkaConnection } from './kafka-client';
import { partitionLost } from './kafka-consume-commit';
import { createLane } from './kafka-consume-lane';
import { type Ending, openSession, type Session } from './kafka-consume-session';
import type { ConsumeOptions, Position } from './log';

/** The pause before a new consumer doubles so often. */
const DOUBLINGS = 2;

/** What trying again cannot mend, or the caller must see. */
const FATAL = new Set<Failure['code']>(['log-position-lost', 'log-forbidden', 'log-closed']);

export interface KafkaConsumers {
  /** As the port says. */
  consume(options: ConsumeOptions): Promise<void>;
  /** Publishes as the reader of the group; false when this log has none. Throws Failure `log-partition-lost`. */
  commit(group: string, positions: readonly Position[]): Promise<boolean>;
  /** Ends every reading; settles when all have ended. */
  close(): Promise<void>;
}

/** One `consume` while it lasts. */
interface Reading {
  readonly group: string;
  /** Undefined between two consumers. */
  session: Session | undefined;
}

/** Follows topics as a member of a group: whatever happens to a consumer of kafkajs, another takes its place. */
export function createConsumers(connection: KafkaConnection): KafkaConsumers {
  const { timing } = connection;
  const closing = new AbortController();
  const running = new Map<Reading, Promise<void>>();
  const leaving = new Set<Promise<void>>();

  const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);

  /** Throws Failure `log-topic-unknown`, `log-forbidden`; waits for brokers that do not answer. */
  const requireTopics = async ({ topics }: ConsumeOptions, signal: AbortSignal): Promise<void> => {
    for (const topic of topics) {
      while (!signal.aborted) {
        const found = await connection.partitionsOf(topic).catch((error: unknown) => connection.failure(error, `Looking for topic ${topic}`));
        if (typeof found === 'number') break;
        if (found.retry === 'never' || FATAL.has(found.code)) throw found;
        await pause(timing.backoffMs, signal);
      }
    }
  };

  /** Runs one consumer to its end, and gives what it ended with once the caller has nothing left of it. */
  const runSession = async (reading: Reading, session: Session, signal: AbortSignal): Promise<Ending> => {
    const stop = (): void => session.end({ kind: 'told' });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const first = await session.ended;
    signal.removeEventListener('abort', stop);
    if (first.kind === 'broken') {
      session.cut(); // nothing of it is to be waited for, but it must not go on trying either
      const left = session.leave().catch(() => undefined).finally(() => leaving.delete(left));
      leaving.add(left);
    }
    const ending = await session.giveUp().then(() => first, (error: unknown): Ending => (first.kind === 'thrown' ? first : { kind: 'thrown', error }));
    reading.session = undefined;
    if (first.kind !== 'broken') await connection.within(timing.requestMs, `Leaving group ${reading.group}`, session.leave()).catch(() => undefined);
    session.cut();
    return ending;
  };

  const read = async (reading: Reading, options: ConsumeOptions, signal: AbortSignal): Promise<void> => {
    const { group } = options;
    const lane = createLane();
    await requireTopics(options, signal);
    let leftBehind: string | undefined;
    for (let failures = 0; !signal.aborted;) {
      const session = (reading.session = openSession(connection, options, lane, leftBehind));
      const ending = await runSession(reading, session, signal);
      if (ending.kind === 'thrown') throw ending.error;
      if (ending.kind === 'told') return;
      const failure = await connection.groupFailure(ending.error, group, `Following ${options.topics.join(', ')} as ${group}`);
      if (FATAL.has(failure.code)) throw failure;
      failures = session.joined() ? 0 : failures + 1;
      leftBehind = session.memberId() ?? leftBehind;
      connection.onEvent({ type: 'consumer-restarted', group, detail: messageOf(failure) });
      await pause(timing.backoffMs * 2 ** Math.min(failures, DOUBLINGS), signal);
    }
  };

  return {
    async consume(options) {
      const signal = AbortSignal.any([options.signal, connection.closed, closing.signal]);
      if (signal.aborted) return;
      const reading: Reading = { group: options.group, session: undefined };
      const done = read(reading, options, signal).finally(() => running.delete(reading));
      running.set(reading, done);
      await done;
    },
    async commit(group, positions) {
      const sessions = [...running.keys()].filter((reading) => reading.group === group).map(({ session }) => session);
      if (sessions.length === 0) return false;
      const shares = new Map<Session, Position[]>();
      for (const position of positions) {
        const session = sessions.find((it) => it?.holds(position));
        if (!session) throw partitionLost(group, position);
        shares.set(session, [...(shares.get(session) ?? []), position]);
      }
      const what = `Publishing positions for group ${group}`;
      for (const [session, share] of shares) {
        await connection.within(timing.askMs, what, session.commit(share)).catch((error: unknown) => Promise.reject(connection.failure(error, what)));
      }
      return true;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running.values());
      await connection.within(timing.connectMs, 'Ending readers', Promise.all(leaving)).catch(() => undefined);
    },
  };
}

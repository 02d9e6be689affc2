import type { KafkaConnection } from './kafka-client';
import { partitionLost } from './kafka-consume-commit';
import { GroupReading } from './kafka-consume-reading';
import type { ConsumerSession } from './kafka-consume-session';
import type { ConsumeOptions, Position } from './log';

export interface KafkaConsumers {
  /** As the port says. */
  consume(options: ConsumeOptions): Promise<void>;
  /**
   * Publishes as the reader of the group; false when this log has none. Throws Failure
   * `log-partition-lost`.
   */
  commit(group: string, positions: readonly Position[]): Promise<boolean>;
  /** Ends every reading; settles when all have ended. */
  close(): Promise<void>;
}

/** The positions by the consumer that holds their partitions. */
function shareOut(
  group: string,
  sessions: readonly (ConsumerSession | undefined)[],
  positions: readonly Position[],
): Map<ConsumerSession, Position[]> {
  const shares = new Map<ConsumerSession, Position[]>();
  for (const position of positions) {
    const session = sessions.find((it) => it?.holds(position));
    if (!session) throw partitionLost(group, position);
    shares.set(session, [...(shares.get(session) ?? []), position]);
  }
  return shares;
}

/** Follows topics as a member of a group, any number of times at once. */
export function createConsumers(connection: KafkaConnection): KafkaConsumers {
  const { timing } = connection;
  const closing = new AbortController();
  const running = new Set<GroupReading>();
  const leaving = new Set<Promise<void>>();

  return {
    async consume(options) {
      const signal = AbortSignal.any([options.signal, connection.closed, closing.signal]);
      if (signal.aborted) return;
      const reading = new GroupReading(connection, options, signal, leaving);
      running.add(reading);
      await reading.done.finally(() => running.delete(reading));
    },
    async commit(group, positions) {
      const readings = [...running].filter((reading) => reading.group === group);
      if (readings.length === 0) return false;
      const what = `Publishing positions for group ${group}`;
      for (const [session, share] of shareOut(
        group,
        readings.map((reading) => reading.session()),
        positions,
      )) {
        await connection
          .within(timing.queryMs, what, session.commit(share))
          .catch((error: unknown) => Promise.reject(connection.failure(error, what)));
      }
      return true;
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running].map(({ done }) => done));
      await connection
        .within(timing.connectMs, 'Ending readers', Promise.all(leaving))
        .catch(() => undefined);
    },
  };
}

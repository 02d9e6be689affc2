import { type DatabaseSchema, refuseEveryRow } from '@ovn-steward/ovsdb';
import { checkSchema } from '../ovn/failure';
import {
  closedHere,
  fencedOff,
  heldElsewhere,
  notTakenOver,
  outcomeUnknown,
} from '../northbound/failures';
import { SELECT_IDENTITY, standaloneIdentity } from '../northbound/identity';
import type { Northbound } from '../northbound/northbound';
import { outcomeOf } from '../northbound/outcome';
import { EXECUTOR_LOCK, refuseChanges } from '../northbound/requests';
import { MemoryDatabase } from '@ovn-steward/ovsdb/testing/memory-database';

/** A Northbound database in this process, and one client of it. */
export type MemoryNorthbound = Northbound & {
  readonly database: MemoryDatabase;
  /** Its connection ends, and the next call has another; the lock stays as it is. */
  disconnect(): void;
  /** Another client of the same server. @param steals as `LiveNorthboundOptions` has it. */
  peer(steals?: boolean): MemoryNorthbound;
};

const WHERE = 'OVN_Northbound in memory';

/**
 * @param schema whose database begins empty; `database.load` brings another schema along with its
 *   rows.
 */
export const memoryNorthbound = ({
  schema,
}: {
  readonly schema: DatabaseSchema;
}): MemoryNorthbound => clientOf(new MemoryDatabase(schema), { owner: undefined }, true);

/** As one server keeps it for all its clients. */
interface Lock {
  owner: object | undefined;
}

function clientOf(database: MemoryDatabase, lock: Lock, steals: boolean): MemoryNorthbound {
  const self = {};
  let state: 'stranger' | 'taken' | 'fenced' | 'closed' = 'stranger';
  let connections = 0;
  let connected = false;
  const owns = (name: string): boolean => name === EXECUTOR_LOCK && lock.owner === self;

  /**
   * Requests cost time on their way there and back: whoever else writes may come before and after.
   */
  const turn = async (): Promise<void> => {
    await Promise.resolve();
    await database.between?.();
  };
  const sent = async (signal: AbortSignal): Promise<void> => {
    if (state === 'closed') throw closedHere(WHERE);
    signal.throwIfAborted();
    if (!connected) connections += 1;
    connected = true;
    await turn();
    signal.throwIfAborted();
  };

  const read: Northbound['read'] = async (operations, signal) => {
    refuseChanges(operations);
    await sent(signal);
    checkSchema('ovn-nb', database.schema, WHERE);
    const result = database.transact(operations, owns);
    await turn();
    signal.throwIfAborted();
    return outcomeOf(result);
  };

  const write: Northbound['write'] = async (operations, signal) => {
    refuseEveryRow(operations);
    await sent(signal);
    checkSchema('ovn-nb', database.schema, WHERE);
    if (state === 'stranger') throw notTakenOver(WHERE);
    if (state === 'fenced') throw fencedOff(WHERE);
    const fault = database.fault?.(operations);
    const run = (): ReturnType<MemoryDatabase['transact']> =>
      database.transact([{ op: 'assert', lock: EXECUTOR_LOCK }, ...operations], owns);
    if (fault === 'run-twice') run();
    const result = fault === 'lose-request' ? undefined : run();
    // Whoever lost the lock learns it by this answer, or, its reply lost, by the next.
    if (
      fault !== 'lose-reply' &&
      result?.ok === false &&
      result.error.error === 'not owner' &&
      result.error.at === 0
    )
      state = 'fenced';
    await turn();
    if (result === undefined || fault === 'lose-reply')
      throw outcomeUnknown(WHERE, 'no reply came');
    if (signal.aborted) throw outcomeUnknown(WHERE, 'its reply was not waited for', signal.reason);
    return outcomeOf(result, 1);
  };

  return {
    where: WHERE,
    database,
    read,
    write,
    identity: async (signal) => {
      const standalone = standaloneIdentity(await read(SELECT_IDENTITY, signal), WHERE);
      return database.cid === undefined ? standalone : `cid:${database.cid}`;
    },
    connections: () => connections,
    disconnect: () => void (connected = false),
    schema: async (signal) => {
      await sent(signal);
      return database.schema;
    },
    takeOver: async (signal) => {
      await sent(signal);
      if (!steals && lock.owner !== undefined && lock.owner !== self) throw heldElsewhere(WHERE);
      lock.owner = self;
      state = 'taken';
      await turn();
    },
    queueForLock: async (signal) => {
      await sent(signal);
      lock.owner ??= self;
      await turn();
    },
    peer: (peerSteals = true) => clientOf(database, lock, peerSteals),
    close: async () => {
      if (lock.owner === self) lock.owner = undefined;
      state = 'closed';
    },
  };
}

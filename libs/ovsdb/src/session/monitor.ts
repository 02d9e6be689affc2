import { OvsdbError } from '../wire/errors';
import { NotificationQueue } from '../wire/notification-queue';
import { monitorRequests, type SelectedColumns } from './monitor-request';
import { RefusedError } from '../wire/refused-error';
import type { Replica } from '../replica/replica';
import type { RowChange } from '../replica/row-change';
import type { Session } from './session';

/** A transaction id that no transaction has: the server keeps no history to resume from. */
const NO_TRANSACTION = '00000000-0000-0000-0000-000000000000';

/** Messages that may wait for the consumer before the socket is no longer read. */
const WAITING = 16;

/**
 * Probe intervals for which a server may be silent while it gathers the first answer: it does
 * nothing else meanwhile, and 200,000 ports take it seconds.
 */
const DUMP_PATIENCE = 6;

type QueueItem =
  | { type: 'notification'; method: string; params: readonly unknown[] }
  | { type: 'alive'; at: number }
  | { type: 'ended'; error: OvsdbError };

/** What a monitor reports after its first answer. */
export type MonitorStep =
  | {
      readonly type: 'changes';
      readonly changes: RowChange[];
      readonly lastTxnId: string | undefined;
    }
  | { readonly type: 'alive'; readonly at: number };

interface MonitorStart {
  /** Resumed: the reply held only what changed since. */
  readonly found: boolean;
  readonly lastTxnId: string | undefined;
  /** The tables of the reply: differences when `found`, else the whole content. */
  readonly tables: unknown;
}

export interface Monitor {
  start(selected: SelectedColumns, since: string | undefined): Promise<MonitorStart>;
  /**
   * Applies the next message to the replica when it is pulled, not when it arrives.
   * @throws the reason why the session ended, after all that came before.
   */
  next(replica: Replica): Promise<MonitorStep>;
}

const knownId = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== NO_TRANSACTION ? id : undefined;

/**
 * The monitor of a session, which can have one. Make it before `start` is called: it listens from
 * here on.
 */
export function monitorOf(session: Session): Monitor {
  const { rpc, database } = session;
  const queue = new NotificationQueue<QueueItem>({
    limit: WAITING,
    onFull: () => rpc.pause(),
    onEmpty: () => rpc.resume(),
  });
  rpc.listen({
    onNotification: (method, params) => {
      if (params[0] === database) queue.push({ type: 'notification', method, params });
    },
    onAlive: (at) => {
      const { last } = queue;
      if (last?.type === 'alive') last.at = at;
      else queue.push({ type: 'alive', at });
    },
  });
  void rpc.closed.then((error) => queue.push({ type: 'ended', error }));

  /** The database's name serves as the id of the monitor. Only the probe limits the time. */
  const request = async (
    method: string,
    selected: SelectedColumns,
    ...more: unknown[]
  ): Promise<unknown> => {
    rpc.allowSilence(DUMP_PATIENCE);
    try {
      return await rpc.request(method, [database, database, monitorRequests(selected), ...more], 0);
    } finally {
      rpc.allowSilence(1);
    }
  };

  return {
    start: (selected, since) =>
      elseOlder(
        async () =>
          readSince(await request('monitor_cond_since', selected, since ?? NO_TRANSACTION)),
        () =>
          elseOlder(
            () => request('monitor_cond', selected).then(whole),
            () => request('monitor', selected).then(whole),
          ),
      ),
    next: async (replica) => {
      const item = await queue.next();
      if (item.type === 'ended') throw item.error;
      return item.type === 'alive' ? item : applied(replica, item.method, item.params);
    },
  };
}

/** Servers before OVS 2.12 lack `monitor_cond_since`, before 2.6 `monitor_cond`. */
async function elseOlder<T>(newer: () => Promise<T>, older: () => Promise<T>): Promise<T> {
  try {
    return await newer();
  } catch (error) {
    if (error instanceof RefusedError && error.error === 'unknown method') return older();
    throw error;
  }
}

const whole = (tables: unknown): MonitorStart => ({ found: false, lastTxnId: undefined, tables });

function readSince(reply: unknown): MonitorStart {
  if (!Array.isArray(reply) || typeof reply[0] !== 'boolean')
    throw new OvsdbError(
      'protocol',
      'The reply to monitor_cond_since is not [found, last-txn-id, updates].',
    );
  return { found: reply[0], lastTxnId: knownId(reply[1]), tables: reply[2] };
}

function applied(replica: Replica, method: string, params: readonly unknown[]): MonitorStep {
  switch (method) {
    case 'update3':
      return {
        type: 'changes',
        lastTxnId: knownId(params[1]),
        changes: replica.applyUpdate2(params[2]),
      };
    case 'update2':
      return { type: 'changes', lastTxnId: undefined, changes: replica.applyUpdate2(params[1]) };
    case 'update':
      return { type: 'changes', lastTxnId: undefined, changes: replica.applyUpdate1(params[1]) };
    case 'monitor_canceled':
      throw new OvsdbError(
        'closed',
        'The server cancelled the monitor, as it does when the database is converted or removed.',
      );
    default:
      throw new OvsdbError(
        'protocol',
        `The server sent ${method}, which no monitor of ours asks for.`,
      );
  }
}

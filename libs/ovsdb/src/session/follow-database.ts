import { OvsdbError } from '../wire/errors';
import { type Attempt, type FindOptions, serverFinder } from './find-server';
import { type Monitor, type MonitorStep, monitorOf } from './monitor';
import { selectColumns, type SelectedColumns, type Selection } from './monitor-request';
import { stringifyJson } from '../wire/parse-json';
import type { Remote } from '../wire/remote';
import { Replica, type ReplicaOptions } from '../replica/replica';
import { diffReplicas } from '../replica/replica-diff';
import type { RowChange } from '../replica/row-change';
import type { DatabaseSchema } from '../schema/schema';
import type { Session } from './session';

export interface FollowOptions extends FindOptions, Selection {
  /** Extra indexes of the replica. */
  indexes?: NonNullable<ReplicaOptions['indexes']>;
}

export type DatabaseEvent =
  /** A server could not be used; the next is tried in `retryInMs`. */
  | {
      readonly type: 'failed';
      readonly remote: Remote;
      readonly error: OvsdbError;
      readonly retryInMs: number;
    }
  /**
   * The servers now speak for another cluster (ids, or `standalone`): another universe. A new
   * replica follows, and nothing is compared with the old one.
   */
  | { readonly type: 'cluster-changed'; readonly before: string; readonly after: string }
  /**
   * The replica is what the server has; `changes` leads there from what was held before (nothing,
   * the first time). `found`: the server resumed where we were; otherwise everything was read
   * again. After a conversion of the schema `replica` is another object.
   */
  | {
      readonly type: 'snapshot';
      readonly replica: Replica;
      readonly found: boolean;
      readonly changes: RowChange[];
      readonly schema: DatabaseSchema;
      readonly monitored: SelectedColumns;
      readonly lastTxnId: string | undefined;
      readonly remote: Remote;
      readonly cid: string | undefined;
    }
  /**
   * One transaction or several merged by the server; `lastTxnId` undefined where there is nothing
   * to resume from.
   */
  | {
      readonly type: 'changes';
      readonly changes: RowChange[];
      readonly lastTxnId: string | undefined;
    }
  /**
   * An echo was answered. Whatever the server had committed at `at` (ms since 1970) was delivered
   * before this event.
   */
  | { readonly type: 'alive'; readonly at: number }
  /**
   * The connection that was followed has ended; from here on nothing is known until the next
   * snapshot.
   */
  | { readonly type: 'lost'; readonly remote: Remote; readonly error: OvsdbError };

/** What is held from one session to the next. */
interface Held {
  readonly replica: Replica;
  readonly schemaText: string;
  /** Whose content it is: a cluster id or `standalone`; undefined when no server has said. */
  readonly owner: string | undefined;
  lastTxnId: string | undefined;
}

/**
 * Follows a database over all its servers, for ever: the content, then every change, and each
 * disconnection and re-read between.
 *
 * Updates are applied when the next event is pulled, so between two pulls the replica is exactly as
 * the last event left it, and a slow consumer stops the reading of the socket. If that lasts longer
 * than the server's inactivity probe, the server may close the connection: then `lost` follows, and
 * a snapshot with what was missed, never a gap. The signal ends the iteration.
 */
export async function* followDatabase(
  options: FollowOptions,
): AsyncGenerator<DatabaseEvent, void, undefined> {
  const finder = serverFinder(options);
  let held: Held | undefined;
  try {
    for (;;) {
      const session = yield* failures(finder.find());
      try {
        const owner = ownerOf(session);
        if (held?.owner !== undefined && owner !== undefined && held.owner !== owner) {
          yield { type: 'cluster-changed', before: held.owner, after: owner };
          held = undefined;
        }
        const monitor = monitorOf(session);
        const { event, ...begun } = await begin(session, monitor, held, options);
        held = begun.held;
        yield event;
        for (;;) yield await step(monitor, held);
      } catch (error) {
        if (!(error instanceof OvsdbError)) throw error;
        // Not the connection failed but what came over it: nothing may be built on what is held.
        if (held !== undefined && error !== session.rpc.ended) held.lastTxnId = undefined;
        options.signal?.throwIfAborted();
        yield { type: 'lost', remote: session.remote, error };
      } finally {
        session.close();
      }
    }
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
  }
}

async function* failures(
  search: AsyncGenerator<Attempt, Session, undefined>,
): AsyncGenerator<DatabaseEvent, Session, undefined> {
  for (;;) {
    const found = await search.next();
    if (found.done === true) return found.value;
    yield { type: 'failed', ...found.value };
  }
}

const ownerOf = ({ server }: Session): string | undefined =>
  server?.cid ?? (server?.model === 'standalone' ? 'standalone' : undefined);

async function begin(
  session: Session,
  monitor: Monitor,
  before: Held | undefined,
  options: FollowOptions,
): Promise<{ held: Held; event: DatabaseEvent }> {
  const { schema, remote } = session;
  const monitored = selectColumns(schema, options);
  const schemaText = stringifyJson(schema.json);
  const kept = before?.schemaText === schemaText ? before : undefined;
  const start = await monitor.start(monitored, kept?.lastTxnId);
  if (start.found && kept?.lastTxnId === undefined)
    throw new OvsdbError('protocol', 'The server resumed after an unknown transaction.');
  const replica =
    kept?.replica ??
    new Replica(schema, {
      ...(options.indexes && { indexes: options.indexes }),
      sends: (table, { name }) => monitored.get(table)?.has(name) === true,
    });
  const applied = start.found
    ? replica.applyUpdate2(start.tables)
    : replica.replaceAll(start.tables);
  const changes =
    before !== undefined && kept === undefined ? diffReplicas(before.replica, replica) : applied;
  const { found, lastTxnId } = start;
  return {
    held: { replica, schemaText, owner: ownerOf(session) ?? before?.owner, lastTxnId },
    event: {
      type: 'snapshot',
      replica,
      found,
      changes,
      schema,
      monitored,
      lastTxnId,
      remote,
      cid: session.server?.cid,
    },
  };
}

async function step(monitor: Monitor, held: Held): Promise<MonitorStep> {
  const event = await monitor.next(held.replica);
  if (event.type === 'changes') held.lastTxnId = event.lastTxnId;
  return event;
}

import {
  operation,
  type Operation,
  OvsdbError,
  parseRemotes,
  refuseEveryRow,
  RefusedError,
  type Remote,
  type Session,
  type TlsMaterial,
  type TransactResult,
} from '@ovn-steward/ovsdb';
import { ovsdbFailure } from '../ovn/failure';
import { Failure } from '@ovn-steward/shared/errors';
import { outcomeUnknown } from './failures';
import { Fence } from './fence';
import { identityOf } from './identity';
import { type Limits, limited, Overdue } from './limits';
import { LiveSession } from './live-session';
import type { Northbound } from './northbound';
import { outcomeOf } from './outcome';
import { EXECUTOR_LOCK, refuseChanges } from './requests';

export interface LiveNorthboundOptions {
  /** As `parseRemotes` of libs/ovsdb reads them. Of a raft cluster, all members. */
  readonly remotes: string;
  readonly tls?: () => TlsMaterial;
  /** How long each call may take, finding a server included, in milliseconds. */
  readonly timeoutMs?: number;
  /**
   * Whether taking over takes the lock from its holder, as an executor does whose turn is settled
   * elsewhere; else that is refused. Default: true.
   */
  readonly steals?: boolean;
  /** A server could not be used, or a connection ended. The message holds no values of rows. */
  readonly onTrouble?: (message: string) => void;
}

/**
 * The Northbound database behind these addresses, over one connection that is opened when it is
 * first needed. It may change for another from one call to the next, to a new leader after an
 * election.
 * @throws Failure `config-invalid` for remotes that cannot be read.
 */
export function liveNorthbound({
  remotes,
  tls,
  timeoutMs = 10_000,
  steals = true,
  onTrouble,
}: LiveNorthboundOptions): Northbound {
  const where = `OVN_Northbound at ${remotes}`;
  const sessions = new LiveSession({
    remotes: readRemotes(remotes),
    where,
    timeoutMs,
    ...(tls && { tls }),
    ...(onTrouble && { onTrouble }),
  });
  const fence = new Fence(where, steals);
  const call = <T>(signal: AbortSignal, body: (limits: Limits) => Promise<T>): Promise<T> =>
    limited(timeoutMs, signal, body);

  const reading = <T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> =>
    call(signal, (limits) => readTwice(work, limits, { sessions, where, timeoutMs }));
  const onLock = (signal: AbortSignal, work: (session: Session) => Promise<void>): Promise<void> =>
    call(
      signal,
      async (limits) =>
        void (await heldSession(sessions, limits, where, (session) =>
          limits.within(work(session)),
        )),
    );

  return {
    where,
    identity: (signal) => reading(signal, (session) => identityOf(session, where)),
    connections: () => sessions.count(),
    schema: (signal) => call(signal, async (limits) => (await sessions.get(limits)).schema),
    read: async (operations, signal) => {
      refuseChanges(operations);
      return reading(signal, async (session) =>
        outcomeOf(await session.transact(operations, { timeoutMs: 0, everyRow: true })),
      );
    },
    write: async (operations, signal) => {
      refuseEveryRow(operations);
      fence.check();
      return call(signal, (limits) =>
        fencedWrite(operations, limits, { sessions, fence, where, timeoutMs }),
      );
    },
    takeOver: (signal) => onLock(signal, (session) => fence.takeOver(session)),
    queueForLock: (signal) => onLock(signal, (session) => fence.queueForLock(session)),
    close: async () => sessions.close(),
  };
}

function readRemotes(remotes: string): readonly Remote[] {
  try {
    return parseRemotes(remotes);
  } catch (error) {
    throw ovsdbFailure(error);
  }
}

interface Server {
  readonly sessions: LiveSession;
  readonly where: string;
  readonly timeoutMs: number;
}

/** Reads, and once more on another session where the first one ended meanwhile. */
async function readTwice<T>(
  work: (session: Session) => Promise<T>,
  limits: Limits,
  { sessions, where, timeoutMs }: Server,
): Promise<T> {
  const first = await sessions.get(limits);
  try {
    return await limits.within(work(first));
  } catch (error) {
    if (!(error instanceof OvsdbError) || first.rpc.ended === undefined)
      throw readFailure(error, first, where, timeoutMs);
  }
  const second = await sessions.get(limits);
  return limits.within(work(second)).catch((error: unknown) => {
    throw readFailure(error, second, where, timeoutMs);
  });
}

/** Writes once, on a session that holds the lock, if it still holds it when the write arrives. */
async function fencedWrite(
  operations: readonly Operation[],
  limits: Limits,
  { sessions, fence, where, timeoutMs }: Server & { readonly fence: Fence },
): Promise<ReturnType<typeof outcomeOf>> {
  const session = await heldSession(sessions, limits, where, (found) => fence.hold(found, limits));
  const { term } = fence;
  // Nothing was sent before this line, and nothing is sent after it.
  const result = await limits
    .within(
      session.transact([operation.assertLock(EXECUTOR_LOCK), ...operations], { timeoutMs: 0 }),
    )
    .catch((error: unknown) => {
      throw writeFailure(error, session, where, timeoutMs);
    });
  if (!result.ok && result.error.error === 'not owner' && result.error.at === 0) fence.lost(term);
  return knownOutcome(result, where);
}

/**
 * A session on which the lock was taken, in the way given.
 * @throws Failure: nothing but requests for the lock was sent.
 */
async function heldSession(
  sessions: LiveSession,
  limits: Limits,
  where: string,
  take: (session: Session) => Promise<void>,
): Promise<Session> {
  const session = await sessions.get(limits);
  try {
    await take(session);
    return session;
  } catch (error) {
    if (!(error instanceof Overdue)) throw ovsdbFailure(error);
    session.close();
    throw new Failure(
      'source-unreachable',
      `${where} did not answer the request for the executor's lock in time. Nothing was changed.`,
      { cause: error },
    );
  }
}

/**
 * A server that leaves a request unanswered is given up: another may lead by now, and what it has
 * not yet done it then leaves undone.
 */
function readFailure(error: unknown, session: Session, where: string, timeoutMs: number): unknown {
  if (error instanceof Overdue) {
    session.close();
    return new Failure(
      'source-unreachable',
      `${where} did not answer a read within ${timeoutMs} ms.`,
      { cause: error },
    );
  }
  if (!(error instanceof OvsdbError) || error.code !== 'outcome-unknown')
    return ovsdbFailure(error);
  // The library quotes a reply that it cannot read, and gives a lost connection as the cause.
  return error.cause instanceof OvsdbError
    ? ovsdbFailure(error.cause)
    : new Failure('source-broken', `${where} answered a read in a way that cannot be understood.`);
}

/**
 * Errors of a whole request that the server gives before it reads the operations. `canceled` is not
 * one: what was proposed to the cluster may still be committed.
 */
const NEVER_BEGUN: ReadonlySet<string> = new Set([
  'unknown database',
  'unknown method',
  'not allowed',
]);

function writeFailure(error: unknown, session: Session, where: string, timeoutMs: number): unknown {
  if (error instanceof Overdue) {
    session.close();
    return outcomeUnknown(where, `no reply came within ${timeoutMs} ms`, error);
  }
  if (error instanceof RefusedError)
    return NEVER_BEGUN.has(error.error)
      ? ovsdbFailure(error)
      : outcomeUnknown(where, `the server gave it up (${error.error})`, error);
  if (error instanceof OvsdbError) {
    if (error.code !== 'outcome-unknown') return ovsdbFailure(error);
    return error.cause instanceof OvsdbError
      ? outcomeUnknown(where, 'the connection ended before the reply', error.cause)
      : outcomeUnknown(where, 'its reply cannot be understood');
  }
  if (error instanceof TypeError) return error;
  return outcomeUnknown(where, 'its reply was not waited for', error);
}

/** A failing disk leaves open what of the transaction is on it. */
function knownOutcome(result: TransactResult, where: string): ReturnType<typeof outcomeOf> {
  if (!result.ok && result.error.error === 'I/O error')
    throw outcomeUnknown(where, 'the server could not write it to its disk');
  return outcomeOf(result, 1);
}

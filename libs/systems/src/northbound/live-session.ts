import {
  type Attempt,
  OvsdbError,
  type Remote,
  serverFinder,
  type Session,
  type TlsMaterial,
} from '@ovn-steward/ovsdb';
import { checkSchema, ovsdbFailure } from '../ovn/failure';
import { listDatabases } from '../ovn/list-databases';
import { DATABASE_NAME } from '../ovn/selection';
import { Failure } from '@ovn-steward/shared/errors';
import { closedHere } from './failures';
import { identityIfAny, sameDatabase } from './identity';
import { type Limits, Overdue } from './limits';

export interface LiveSessionOptions {
  readonly remotes: readonly Remote[];
  /** The remotes as they were given, for messages. */
  readonly where: string;
  readonly tls?: () => TlsMaterial;
  readonly timeoutMs: number;
  /** A server could not be used, or a connection ended. A message without values of rows. */
  readonly onTrouble?: (message: string) => void;
}

export interface LiveSession {
  /**
   * The session in use; a new one where there is none, or where it has ended.
   * @throws Failure `source-unreachable` when none could be had within the limits,
   *   `input-foreign-schema` when what is reached is no Northbound database, or another one than
   *   before. The signal's reason.
   */
  get(limits: Limits): Promise<Session>;
  /** How many there were so far. */
  count(): number;
  close(): void;
}

/**
 * Keeps one session, opened at the first request and again after it ended, for as long as a caller
 * waits for it.
 */
export function liveSession(options: LiveSessionOptions): LiveSession {
  const { where, timeoutMs, onTrouble } = options;
  const closing = new AbortController();
  // A server that does not answer must leave time for the next one.
  const patienceMs = Math.max(250, Math.round(timeoutMs / (options.remotes.length + 1)));
  const finder = serverFinder({
    remotes: options.remotes,
    database: DATABASE_NAME['ovn-nb'],
    ...(options.tls && { tls: options.tls }),
    signal: closing.signal,
    connectTimeoutMs: patienceMs,
    timeoutMs: patienceMs,
    probeMs: 5000,
    backoff: { baseMs: 50, capMs: 1000 },
  });
  let current: Session | undefined;
  let search: Promise<Session | undefined> | undefined;
  let lastTrouble: OvsdbError | undefined;
  let identity: string | undefined;
  let [waiting, count] = [0, 0];

  /** @returns undefined when it ended meanwhile. @throws Failure `input-foreign-schema`. */
  const accept = async (session: Session): Promise<Session | undefined> => {
    try {
      checkSchema('ovn-nb', session.schema, where);
      identity = sameDatabase(identity, await identityIfAny(session, where), where);
      count++;
      return (current = session);
    } catch (error) {
      session.close();
      if (!(error instanceof OvsdbError)) throw error;
      lastTrouble = error;
      return undefined;
    } finally {
      void session.closed.then((reason) => {
        if (current === session) current = undefined;
        if (!closing.signal.aborted) onTrouble?.(reason.message);
      });
    }
  };

  const failed = async ({ remote, error }: Attempt): Promise<void> => {
    lastTrouble = error;
    onTrouble?.(error.message);
    if (error.code === 'unsuitable')
      await refuseForeign(remote, options, patienceMs, closing.signal);
  };

  /** @returns undefined when no caller waits any more. */
  const find = async (): Promise<Session | undefined> => {
    while (waiting > 0) {
      const attempts = finder.find();
      let step = await attempts.next();
      for (; step.done !== true && waiting > 0; step = await attempts.next())
        await failed(step.value);
      const accepted = step.done === true ? await accept(step.value) : undefined;
      if (accepted !== undefined) return accepted;
    }
    return undefined;
  };

  const searched = (): Promise<Session | undefined> => find().finally(() => (search = undefined));

  return {
    get: async (limits) => {
      waiting++;
      try {
        for (;;) {
          if (closing.signal.aborted) throw closedHere(where);
          if (current !== undefined && current.rpc.ended === undefined) return current;
          const found = await limits.within((search ??= searched()));
          if (found !== undefined) return found;
        }
      } catch (error) {
        if (closing.signal.aborted) throw closedHere(where);
        throw error instanceof Overdue
          ? unreachable(where, timeoutMs, lastTrouble)
          : ovsdbFailure(error);
      } finally {
        waiting--;
      }
    },
    count: () => count,
    close: () => {
      closing.abort();
      current?.close();
    },
  };
}

const unreachable = (where: string, timeoutMs: number, cause: OvsdbError | undefined): Failure =>
  new Failure(
    'source-unreachable',
    `No fit server of ${where} was found within ${timeoutMs} ms; nothing was sent.${cause === undefined ? '' : ` The last trouble: ${cause.message}`}`,
    { cause },
  );

/** Another database's address given for the Northbound one: waiting will not mend that. */
async function refuseForeign(
  remote: Remote,
  { where, tls }: LiveSessionOptions,
  connectTimeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const meant = DATABASE_NAME['ovn-nb'];
  const databases = await listDatabases(remote, { ...(tls && { tls }), connectTimeoutMs, signal });
  const other = Object.values(DATABASE_NAME).find((it) => it !== meant && databases.includes(it));
  if (other !== undefined && !databases.includes(meant))
    throw new Failure(
      'input-foreign-schema',
      `${where} has the database ${other} and no ${meant}. Check the addresses.`,
    );
}

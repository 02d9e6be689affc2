import { connect, type ConnectOptions } from '../wire/connection';
import { OvsdbError } from '../wire/errors';
import type { Operation } from './operation';
import { RefusedError } from '../wire/refused-error';
import { formatRemote, type Remote } from '../wire/remote';
import { JsonRpc, type RpcOptions } from '../wire/rpc';
import { type DatabaseSchema, parseSchema } from '../schema/schema';
import {
  recordIndex,
  reasonAgainst,
  type SeenIndexes,
  type ServerState,
  unsuitable,
  watchServer,
} from './server-state';
import { transact, type TransactOptions, type TransactResult } from './transact';

export interface SessionOptions extends ConnectOptions, RpcOptions {
  database: string;
  /** Of a cluster, use the leader only (default), which alone surely has all that was committed. */
  leaderOnly?: boolean;
}

/**
 * One connection to a server that was found fit, and that is given up as soon as it no longer is.
 */
export interface Session {
  readonly remote: Remote;
  readonly database: string;
  /** As the server had it when the connection was made; the session ends when it is converted. */
  readonly schema: DatabaseSchema;
  /**
   * What the server said of the database at first; undefined for servers before OVS 2.9, which say
   * nothing.
   */
  readonly server: ServerState | undefined;
  readonly rpc: JsonRpc;
  /** Resolves, never rejects, with the reason the session ended. */
  readonly closed: Promise<OvsdbError>;
  transact(operations: readonly Operation[], options?: TransactOptions): Promise<TransactResult>;
  close(): void;
}

/**
 * Connects to one server and judges whether it may be used (see `reasonAgainst`).
 * @param seen how far each cluster was seen; kept up to date for as long as the session lives.
 * @throws OvsdbError `unsuitable`, or what {@link connect} throws.
 */
export async function openSession(
  remote: Remote,
  options: SessionOptions,
  seen: SeenIndexes = new Map(),
): Promise<Session> {
  const rpc = new JsonRpc(await connect(remote, options), remote, options);
  const onAbort = (): void => rpc.close();
  options.signal?.addEventListener('abort', onAbort);
  void rpc.closed.then(() => options.signal?.removeEventListener('abort', onAbort));
  try {
    return await judged(rpc, remote, options, seen);
  } catch (error) {
    rpc.close();
    options.signal?.throwIfAborted();
    throw error;
  }
}

async function judged(
  rpc: JsonRpc,
  remote: Remote,
  options: SessionOptions,
  seen: SeenIndexes,
): Promise<Session> {
  const { database } = options;
  const at = formatRemote(remote);
  await rpc.request('set_db_change_aware', [true]).catch(ignoreUnknownMethod);
  const databases = await rpc.request('list_dbs', []);
  if (!Array.isArray(databases))
    throw new OvsdbError(
      'protocol',
      `The server at ${at} has no list of databases; it may not be an OVSDB server.`,
    );
  if (!databases.includes(database))
    throw unsuitable(
      at,
      `has no database ${database}; it has ${databases.filter((name) => name !== '_Server').join(', ') || 'none'}`,
    );
  const server = databases.includes('_Server') ? await watched(rpc, at, options, seen) : undefined;
  const schema = parseSchema(await rpc.request('get_schema', [database]));
  return {
    remote,
    database,
    schema,
    server,
    rpc,
    closed: rpc.closed,
    transact: (operations, how) => transact(rpc, database, operations, how),
    close: () => rpc.close(),
  };
}

/** Judges the server now, and ends the connection when it is no longer fit. */
async function watched(
  rpc: JsonRpc,
  at: string,
  { database, leaderOnly = true }: SessionOptions,
  seen: SeenIndexes,
): Promise<ServerState> {
  let known: ServerState | undefined;
  const fit = (state: ServerState | undefined, converted: boolean): ServerState => {
    if (state === undefined) throw unsuitable(at, `no longer has the database ${database}`);
    if (converted) throw unsuitable(at, 'converted the database to another schema');
    if (known !== undefined && known.cid !== state.cid)
      throw unsuitable(at, 'now serves another cluster');
    const reason = reasonAgainst(state, leaderOnly, seen);
    if (reason !== undefined) throw unsuitable(at, reason);
    recordIndex(state, seen);
    return (known = state);
  };
  // What is thrown to the connection while it listens becomes the reason of its end.
  return fit(await watchServer(rpc, database, fit), false);
}

function ignoreUnknownMethod(error: unknown): void {
  if (!(error instanceof RefusedError && error.error === 'unknown method')) throw error;
}

import { OvsdbError } from '../wire/errors';
import type { JsonRpc } from '../wire/rpc';

/** What a server says of one of its databases (table Database of `_Server`, ovsdb-server(5)). */
export interface ServerState {
  readonly model: 'standalone' | 'clustered' | 'relay';
  readonly hasSchema: boolean;
  /** Clustered: sees a majority. Relay: connected to its source. */
  readonly connected: boolean;
  readonly leader: boolean;
  /** Cluster id; undefined when not clustered. */
  readonly cid: string | undefined;
  /** Raft log index applied; undefined when not clustered. */
  readonly index: number | undefined;
}

/**
 * The largest log index seen of each cluster, by cluster id: a server that has not come so far
 * shows the past.
 */
export type SeenIndexes = Map<string, number>;

const COLUMNS = ['name', 'model', 'schema', 'connected', 'leader', 'cid', 'index'];

/** The columns of a row so far. All are single values, so a modification carries the new ones. */
type ServerRow = Record<string, unknown>;

const single = (json: unknown): unknown =>
  Array.isArray(json) ? (json[0] === 'set' ? (json[1] as unknown[])[0] : json[1]) : json;

function stateOf(row: ServerRow): ServerState {
  const cid = single(single(row['cid']));
  const index = single(row['index']);
  const model = row['model'];
  return {
    model: model === 'clustered' || model === 'relay' ? model : 'standalone',
    hasSchema: typeof single(row['schema']) === 'string',
    connected: row['connected'] === true,
    leader: row['leader'] === true,
    cid: typeof cid === 'string' ? cid : undefined,
    index: typeof index === 'number' || typeof index === 'bigint' ? Number(index) : undefined,
  };
}

/**
 * Follows what the server says of a database, for as long as the connection lives.
 * @param onChange a new state; `converted` when the schema changed; undefined when the server no
 *   longer has the database.
 * @returns the state now; undefined when the server has no such database.
 */
export async function watchServer(
  rpc: JsonRpc,
  database: string,
  onChange: (state: ServerState | undefined, converted: boolean) => void,
): Promise<ServerState | undefined> {
  const { tables } = (await rpc.request('get_schema', ['_Server'])) as {
    tables?: { Database?: { columns?: object } };
  };
  const served = tables?.Database?.columns ?? {};
  const columns = COLUMNS.filter((column) => Object.hasOwn(served, column));
  const rows = new Map<string, ServerRow>();
  const current = (): ServerState | undefined => {
    const row = [...rows.values()].find(({ name }) => name === database);
    return row && stateOf(row);
  };
  const take = (update: unknown): void => {
    const converted = apply(rows, database, update);
    onChange(current(), converted);
  };
  // What follows the reply in the same packet is heard before the reply is awaited, but must be
  // applied after it.
  let early: unknown[] | undefined = [];
  rpc.listen({
    onNotification: (method, [monitor, update]) => {
      if (method !== 'update2' || monitor !== '_Server') return;
      if (early === undefined) take(update);
      else early.push(update);
    },
  });
  apply(
    rows,
    database,
    await rpc.request('monitor_cond', ['_Server', '_Server', { Database: [{ columns }] }]),
  );
  early.forEach(take);
  early = undefined;
  return current();
}

/** @returns whether the schema of the database was replaced by another. */
function apply(rows: Map<string, ServerRow>, database: string, update: unknown): boolean {
  const { Database: changes = {} } = update as {
    Database?: Record<string, Record<string, ServerRow | null>>;
  };
  let converted = false;
  for (const [uuid, change] of Object.entries(changes)) {
    const [[kind, columns] = []] = Object.entries(change);
    if (columns === null || columns === undefined) {
      rows.delete(uuid);
      continue;
    }
    const before = rows.get(uuid);
    if (
      kind === 'modify' &&
      before?.['name'] === database &&
      typeof single(before['schema']) === 'string' &&
      Object.hasOwn(columns, 'schema')
    )
      converted = true;
    rows.set(uuid, kind === 'modify' ? { ...before, ...columns } : columns);
  }
  return converted;
}

/**
 * Why this server must not be used now, as reference clients judge (ovsdb(7), "Clustered Database
 * Service Model"); undefined when it may.
 */
export function reasonAgainst(
  state: ServerState,
  leaderOnly: boolean,
  seen: SeenIndexes,
): string | undefined {
  if (!state.hasSchema) return 'has not yet received the database';
  if (state.model === 'standalone') return undefined;
  if (!state.connected)
    return state.model === 'relay'
      ? 'is a relay cut off from its source'
      : 'is cut off from the majority of its cluster';
  if (leaderOnly && state.model === 'relay') return 'is a relay, and the leader is asked for';
  if (leaderOnly && !state.leader) return 'is not the leader';
  const reached = state.cid === undefined ? undefined : seen.get(state.cid);
  if (reached !== undefined && (state.index ?? 0) < reached)
    return `is behind (log index ${state.index ?? 0}, seen before: ${reached})`;
  return undefined;
}

/** Remembers how far the cluster has come. */
export function recordIndex({ cid, index }: ServerState, seen: SeenIndexes): void {
  if (cid !== undefined && index !== undefined && index > (seen.get(cid) ?? 0))
    seen.set(cid, index);
}

export const unsuitable = (at: string, reason: string): OvsdbError =>
  new OvsdbError('unsuitable', `The server at ${at} ${reason}.`);

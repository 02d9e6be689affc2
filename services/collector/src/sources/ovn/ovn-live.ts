import { type DatabaseEvent, followDatabase, type FollowOptions } from '@ovn-steward/ovsdb';
import type { Observation, Source } from '../../source-kit/source';
import { Unavailability } from '../../source-kit/unavailability';
import {
  checkSchema,
  foreignCluster,
  foreignDatabase,
  ovsdbFailure,
} from '@ovn-steward/systems/ovn/failure';
import { fullRead } from './full-read';
import { gather } from './gather';
import { otherDatabase } from '@ovn-steward/systems/ovn/other-database';
import { RowProjection } from './rows';
import {
  DATABASE_NAME,
  monitorSelection,
  type OvnDatabaseId,
} from '@ovn-steward/systems/ovn/selection';

type Connection = Pick<
  FollowOptions,
  'remotes' | 'tls' | 'leaderOnly' | 'connectTimeoutMs' | 'probeMs' | 'maxMessageBytes' | 'backoff'
>;

/**
 * How the servers are reached: as in `followDatabase`, but `probeMs` is 5000 by default, since each
 * answered probe moves the watermark.
 */
export interface OvnLiveOptions extends Connection {
  readonly id: OvnDatabaseId;
  /**
   * The cluster id the servers must have, where it is known. Without it a change of cluster is
   * noticed only while we run.
   */
  readonly cid?: string;
  /**
   * How long no server may be fit before the stream is called unavailable, in milliseconds. Default
   * 30000.
   */
  readonly unreachableAfterMs?: number;
  /** Called on every server that failed and every lost connection, for logs. */
  readonly onTrouble?: (message: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

type Snapshot = Extract<DatabaseEvent, { type: 'snapshot' }>;

/** What is known between two events. */
interface State {
  /** Kept over reconnections, for a server that resumes where we were. */
  projection: RowProjection | undefined;
  kinds: readonly string[];
  cursor: string;
  /** Since when no server was fit. */
  downSince: number | undefined;
  readonly unavailability: Unavailability;
}

/**
 * An OVN database as its servers have it: the content, then every change. A reconnection that the
 * server can resume yields only what changed meanwhile; any other yields everything again.
 *
 * @throws Failure, when iterated: `input-foreign-schema` for another database or another cluster
 *   than meant, `config-invalid` for remotes that cannot be read. Servers that cannot be used are
 *   no error: they are tried again for ever, and the stream becomes unavailable.
 */
export function createOvnSource(options: OvnLiveOptions): Source {
  const { id } = options;
  return {
    id,
    source: id,
    streams: [id],
    observe: (signal) => gather((it) => followed(options, it), signal),
  };
}

async function* followed(
  options: OvnLiveOptions,
  signal: AbortSignal,
): AsyncGenerator<Observation[]> {
  if (signal.aborted) return;
  const { id } = options;
  const now = options.now ?? Date.now;
  const state: State = {
    projection: undefined,
    kinds: [],
    cursor: '',
    downSince: now(),
    unavailability: new Unavailability(now),
  };
  let requestedAt = now();
  try {
    for await (const event of followDatabase({
      probeMs: 5000,
      ...options,
      ...monitorSelection(id),
      database: DATABASE_NAME[id],
      signal,
    })) {
      yield* observed(options, state, event, requestedAt, signal);
      if (signal.aborted) return;
      requestedAt = now();
    }
  } catch (error) {
    if (!signal.aborted) throw ovsdbFailure(error);
  }
}

async function* observed(
  options: OvnLiveOptions,
  state: State,
  event: DatabaseEvent,
  requestedAt: number,
  signal: AbortSignal,
): AsyncGenerator<Observation[]> {
  const stream = options.id;
  switch (event.type) {
    case 'snapshot':
      return yield* snapshot(options, state, event, new Date(requestedAt).toISOString(), signal);
    case 'changes': {
      state.cursor = event.lastTxnId ?? '';
      const changed = state.projection?.update(event.changes) ?? [];
      if (changed.length) yield changed;
      return;
    }
    case 'alive':
      return yield [
        {
          type: 'progress',
          stream,
          cursor: state.cursor,
          through: new Date(event.at).toISOString(),
        },
      ];
    case 'failed':
      if (event.error.code === 'unsuitable') await refuseForeign(options, event.remote, signal);
      return yield* down(options, state, event.error.message);
    case 'lost':
      return yield* down(options, state, event.error.message);
    case 'cluster-changed':
      throw foreignCluster(
        options.id,
        `speaks for cluster ${event.after} now, and spoke for ${event.before} before`,
      );
  }
}

function* snapshot(
  options: OvnLiveOptions,
  state: State,
  event: Snapshot,
  through: string,
  signal: AbortSignal,
): Generator<Observation[]> {
  const { id, cid } = options;
  const { replica, schema, found, changes, monitored } = event;
  checkSchema(id, schema, `The server of ${DATABASE_NAME[id]}`);
  if (cid !== undefined && event.cid !== cid)
    throw foreignCluster(
      id,
      `speaks for ${event.cid === undefined ? 'no cluster' : `cluster ${event.cid}`}, and ${cid} is expected`,
    );
  const cursor = event.lastTxnId ?? '';
  const resumed = found && !state.unavailability.isPublished ? state.projection : undefined;
  state.kinds = [...monitored.keys()];
  state.cursor = cursor;
  state.downSince = undefined;
  state.unavailability.end();
  if (resumed)
    return yield [...resumed.update(changes), { type: 'progress', stream: id, cursor, through }];
  const projection = new RowProjection(id, (table, uuid) => replica.get(table, uuid));
  state.projection = projection;
  for (const batch of fullRead({
    stream: id,
    kinds: state.kinds,
    projection,
    rowsOf: (kind) => replica.rows(kind),
    cursor,
    through,
  })) {
    yield batch;
    if (signal.aborted) return;
  }
}

/**
 * No server is fit now. What was read stays known until that has lasted too long to be a mere
 * change of leader.
 */
function* down(
  { id, now = Date.now, unreachableAfterMs = 30_000, onTrouble }: OvnLiveOptions,
  state: State,
  detail: string,
): Generator<Observation[]> {
  onTrouble?.(detail);
  state.downSince ??= now();
  if (now() - state.downSince < unreachableAfterMs) return;
  if (!state.unavailability.isNews('unreachable', detail)) return;
  yield [{ type: 'unavailable', stream: id, kinds: state.kinds, reason: 'unreachable', detail }];
}

/**
 * Northbound's address given for Southbound, or the other way round: waiting will not mend that.
 * Where that cannot be asked, it is trouble like any other.
 */
async function refuseForeign(
  options: OvnLiveOptions,
  remote: Parameters<typeof otherDatabase>[0],
  signal: AbortSignal,
): Promise<void> {
  const other = await otherDatabase(remote, options.id, { ...options, signal });
  if ('unknown' in other) return options.onTrouble?.(other.unknown.message);
  if (other.instead !== undefined) throw foreignDatabase(options.id, other.instead);
}

import { OvsdbError } from '../wire/errors';
import type { Operation } from './operation';
import { stringifyJson } from '../wire/parse-json';
import { RefusedError } from '../wire/refused-error';
import type { JsonRpc } from '../wire/rpc';

/**
 * What the protocol calls errors of operations and of commits (RFC 7047 section 5.2; ovsdb-server
 * adds some). Open: servers may send others.
 */
export const TRANSACT_ERRORS = [
  'timed out',
  'aborted',
  'not owner',
  'constraint violation',
  'referential integrity violation',
  'domain error',
  'range error',
  'duplicate uuid-name',
  'duplicate uuid',
  'unknown column',
  'unknown table',
  'syntax error',
  'resources exhausted',
  'I/O error',
  'not supported',
  'ovsdb error',
  'canceled',
] as const;
export type TransactErrorName = (typeof TRANSACT_ERRORS)[number] | (string & Record<never, never>);

export interface TransactError {
  readonly kind: 'error';
  readonly error: TransactErrorName;
  readonly details?: string;
  /**
   * Index of the operation that failed; `commit` when all operations passed and the commit did not.
   */
  readonly at: number | 'commit';
}

export type OperationResult =
  | { readonly kind: 'inserted'; readonly uuid: string }
  /** `count` 0 is success: nothing matched. And a matched row need not have changed. */
  | { readonly kind: 'counted'; readonly count: number }
  | { readonly kind: 'selected'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'done' }
  /** Not run, or undone, because another operation failed. */
  | { readonly kind: 'void' }
  | TransactError;

/**
 * One result per operation. `ok` means committed, and only that; otherwise nothing at all was
 * changed, and `error` says why.
 */
export type TransactResult =
  | { readonly ok: true; readonly results: readonly OperationResult[] }
  | {
      readonly ok: false;
      readonly results: readonly OperationResult[];
      readonly error: TransactError;
    };

export interface TransactOptions {
  /**
   * Milliseconds to wait for the reply; 0 = no limit. Default: the connection's. After it the
   * outcome is unknown.
   */
  timeoutMs?: number;
  /** Allows update, mutate and delete without a condition, which match every row of the table. */
  everyRow?: boolean;
}

/**
 * Runs the operations as one transaction (RFC 7047 section 4.1.3).
 * @throws RefusedError when the server refuses the whole request (such as `unknown database`);
 * OvsdbError `outcome-unknown` when the request was sent and the connection ended, or time ran out,
 * before the reply: it may be committed, so read the rows before repeating it.
 */
export async function transact(
  rpc: JsonRpc,
  database: string,
  operations: readonly Operation[],
  options: TransactOptions = {},
): Promise<TransactResult> {
  if (options.everyRow !== true) refuseEveryRow(operations);
  if (rpc.ended !== undefined) throw rpc.ended;
  let reply: unknown;
  try {
    reply = await rpc.request('transact', [database, ...operations], options.timeoutMs);
  } catch (cause) {
    if (cause instanceof RefusedError) throw cause;
    throw new OvsdbError(
      'outcome-unknown',
      `A transaction on ${database} was sent, but no reply came: it may be committed or not. Read the rows before repeating it.`,
      { cause },
    );
  }
  return readReply(operations, reply);
}

/** @throws TypeError for a change without a condition, which matches every row of its table. */
export function refuseEveryRow(operations: readonly Operation[]): void {
  for (const operation of operations) {
    const writes =
      operation.op === 'update' || operation.op === 'mutate' || operation.op === 'delete';
    if (writes && operation.where.length === 0)
      throw new TypeError(
        `${operation.op} on ${operation.table} has no condition and would match every row.`,
      );
  }
}

/** Reads the array of results. Success is: as many as operations, and no error among them. */
function readReply(operations: readonly Operation[], reply: unknown): TransactResult {
  if (!Array.isArray(reply) || reply.length < operations.length) throw unreadable(reply);
  const results = operations.map((operation, index) =>
    readResult(operation, reply[index] as unknown, index),
  );
  const extra: unknown = reply[operations.length];
  const error =
    results.find((result) => result.kind === 'error') ??
    (extra === undefined || extra === null ? undefined : readError(extra, 'commit'));
  // Raft gave up on the entry, which another leader may still commit.
  if (error?.error === 'cluster error') throw unreadable(reply);
  if (error === undefined && results.some((result) => result.kind === 'void'))
    throw unreadable(reply);
  return error === undefined ? { ok: true, results } : { ok: false, results, error };
}

function readResult(operation: Operation, json: unknown, at: number): OperationResult {
  if (json === null || json === undefined) return { kind: 'void' };
  if (typeof json !== 'object') throw unreadable(json);
  if (Object.hasOwn(json, 'error')) return readError(json, at);
  const { uuid, count, rows } = json as { uuid?: unknown; count?: unknown; rows?: unknown };
  switch (operation.op) {
    case 'insert':
      if (Array.isArray(uuid) && typeof uuid[1] === 'string')
        return { kind: 'inserted', uuid: uuid[1] };
      break;
    case 'update':
    case 'mutate':
    case 'delete':
      if (typeof count === 'number') return { kind: 'counted', count };
      break;
    case 'select':
      if (Array.isArray(rows)) return { kind: 'selected', rows: rows as Record<string, unknown>[] };
      break;
    default:
      return { kind: 'done' };
  }
  throw unreadable(json);
}

function readError(json: unknown, at: number | 'commit'): TransactError {
  const { error, details } = RefusedError.from('transact', json);
  return { kind: 'error', error, at, ...(details !== undefined && { details }) };
}

/** The server did answer, but not in words we know: nothing may be concluded from it. */
const unreadable = (reply: unknown): OvsdbError =>
  new OvsdbError(
    'outcome-unknown',
    `The reply to a transaction cannot be read (${stringifyJson(reply).slice(0, 200)}): it may be committed or not. Read the rows before repeating it.`,
  );

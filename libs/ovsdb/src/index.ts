export { OVSDB_ERRORS, OvsdbError, type OvsdbErrorCode } from './errors';
export { readDatabaseFile, type DatabaseFile } from './file/read-database-file';
export { readHistory, type HistoryEnd, type HistoryTransaction } from './file/read-history';
export type { TornTail } from './file/record-stream';
export type { ReadOptions } from './file/replay';
export { writeStandaloneFile, type WriteOptions } from './file/write-standalone-file';
export { applyDifference, type SetChange } from './difference';
export { parseJson, stringifyJson } from './parse-json';
export { Replica, type ReplicaOptions } from './replica';
export type { Row } from './row';
export type { ColumnChange, RowChange } from './row-change';
export {
  parseSchema,
  type AtomType,
  type BaseType,
  type ColumnSchema,
  type DatabaseSchema,
  type TableSchema,
} from './schema';
export { uuidsIn } from './uuids-in';
export { decode, defaultOf, encode, equal, isUuid, type Atom, type Value } from './value';
export type { BackoffOptions } from './backoff';
export type { ConnectOptions, TlsMaterial } from './connection';
export {
  type Attempt,
  type FindOptions,
  openDatabase,
  type OpenOptions,
  serverFinder,
  type ServerFinder,
} from './find-server';
export { type DatabaseEvent, followDatabase, type FollowOptions } from './follow-database';
export { JsonSplitter, type SplitOptions } from './framing';
export { acquireLock, type Lock, type LockOptions } from './locks';
export type { Selected, Selection } from './monitor-request';
export * as operation from './operation';
export type { Condition, Json, JsonRow, Mutation, Operation } from './operation';
export { RefusedError } from './refused-error';
export { formatRemote, parseRemotes, type Remote } from './remote';
export { JsonRpc, type RpcListener, type RpcOptions } from './rpc';
export type { ServerState } from './server-state';
export { openSession, type Session, type SessionOptions } from './session';
export {
  TRANSACT_ERRORS,
  type OperationResult,
  type TransactError,
  type TransactErrorName,
  type TransactOptions,
  type TransactResult,
} from './transact';

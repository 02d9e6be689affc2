export { OVSDB_ERRORS, OvsdbError, type OvsdbErrorCode } from './wire/errors';
export { readDatabaseFile, type DatabaseFile } from './file/read-database-file';
export { readHistory, type HistoryEnd, type HistoryTransaction } from './file/read-history';
export type { TornTail } from './file/record-stream';
export type { ReadOptions } from './file/replay';
export { syncDirectoryOf } from './file/sync-directory';
export { writeStandaloneFile, type WriteOptions } from './file/write-standalone-file';
export { applyDifference, type SetChange } from './schema/difference';
export { parseJson, stringifyJson } from './wire/parse-json';
export { Replica, type ReplicaOptions } from './replica/replica';
export type { Row } from './schema/row';
export type { ColumnChange, RowChange } from './replica/row-change';
export {
  parseSchema,
  type AtomType,
  type BaseType,
  type ColumnSchema,
  type DatabaseSchema,
  type TableSchema,
} from './schema/schema';
export { uuidsIn } from './schema/uuids-in';
export { decode, defaultOf, encode, equal, isUuid, type Atom, type Value } from './schema/value';
export type { BackoffOptions } from './wire/backoff';
export type { ConnectOptions, TlsMaterial } from './wire/connection';
export {
  type Attempt,
  type FindOptions,
  openDatabase,
  type OpenOptions,
  serverFinder,
  type ServerFinder,
} from './session/find-server';
export { type DatabaseEvent, followDatabase, type FollowOptions } from './session/follow-database';
export { JsonSplitter, type SplitOptions } from './wire/framing';
export { acquireLock, type Lock, type LockOptions } from './session/locks';
export type { SelectedColumns as Selected, Selection } from './session/monitor-request';
export * as operation from './session/operation';
export type { Condition, Json, JsonRow, Mutation, Operation } from './session/operation';
export { RefusedError } from './wire/refused-error';
export { formatRemote, parseRemotes, type Remote } from './wire/remote';
export { JsonRpc, type RpcListener, type RpcOptions } from './wire/rpc';
export type { ServerState } from './session/server-state';
export { openSession, type Session, type SessionOptions } from './session/session';
export {
  refuseEveryRow,
  TRANSACT_ERRORS,
  type OperationResult,
  type TransactError,
  type TransactErrorName,
  type TransactOptions,
  type TransactResult,
} from './session/transact';

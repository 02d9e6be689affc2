import { randomUUID } from 'node:crypto';

/**
 * A value as RFC 7047 section 5.1 writes it: make it with `encode`, or with {@link uuid}, {@link
 * named}, {@link set} and {@link map}.
 */
export type Json = string | number | bigint | boolean | readonly Json[];
export type JsonRow = Readonly<Record<string, Json>>;

/**
 * `==`, `!=` on everything; `includes`, `excludes` on sets and maps; the others on numbers (RFC
 * 7047 section 5.1, <function>).
 */
export type ConditionFunction = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'includes' | 'excludes';
export type Condition = readonly [column: string, compare: ConditionFunction, value: Json];
export type Mutator = '+=' | '-=' | '*=' | '/=' | '%=' | 'insert' | 'delete';
export type Mutation = readonly [column: string, mutator: Mutator, value: Json];

export type Operation =
  | {
      readonly op: 'insert';
      readonly table: string;
      readonly row: JsonRow;
      readonly uuid?: string;
      readonly 'uuid-name'?: string;
    }
  | {
      readonly op: 'select';
      readonly table: string;
      readonly where: readonly Condition[];
      readonly columns?: readonly string[];
    }
  | {
      readonly op: 'update';
      readonly table: string;
      readonly where: readonly Condition[];
      readonly row: JsonRow;
    }
  | {
      readonly op: 'mutate';
      readonly table: string;
      readonly where: readonly Condition[];
      readonly mutations: readonly Mutation[];
    }
  | { readonly op: 'delete'; readonly table: string; readonly where: readonly Condition[] }
  | {
      readonly op: 'wait';
      readonly table: string;
      readonly where: readonly Condition[];
      readonly columns: readonly string[];
      readonly until: '==' | '!=';
      readonly rows: readonly JsonRow[];
      readonly timeout?: number;
    }
  | { readonly op: 'commit'; readonly durable: boolean }
  | { readonly op: 'abort' }
  | { readonly op: 'comment'; readonly comment: string }
  | { readonly op: 'assert'; readonly lock: string };

export const uuid = (id: string): Json => ['uuid', id];
/** The row that an insert of the same transaction names by its `uuid-name`. */
export const named = (name: string): Json => ['named-uuid', name];
export const set = (elements: readonly Json[]): Json => ['set', elements];
export const map = (pairs: Iterable<readonly [Json, Json]>): Json => ['map', [...pairs]];

/** The one row with this uuid: the only condition that costs the server nothing. */
export const byUuid = (id: string): readonly Condition[] => [['_uuid', '==', uuid(id)]];

/**
 * The row gets this uuid (OVS 2.13 and newer), so that a repeated insert is refused instead of
 * making a second row.
 */
export const insert = (table: string, row: JsonRow, id: string = randomUUID()): Operation => ({
  op: 'insert',
  table,
  row,
  uuid: id,
});

/**
 * The server chooses the uuid; other operations of the transaction refer to the row as {@link
 * named}`(name)`.
 */
export const insertNamed = (table: string, row: JsonRow, name: string): Operation => ({
  op: 'insert',
  table,
  row,
  'uuid-name': name,
});

/** Without `columns`: all, with `_uuid` and `_version`. */
export const select = (
  table: string,
  where: readonly Condition[],
  columns?: readonly string[],
): Operation => ({
  op: 'select',
  table,
  where,
  ...(columns !== undefined && { columns }),
});

/**
 * Conditions all hold (and). No condition at all means every row: {@link transact} refuses that by
 * default.
 */
export const update = (table: string, where: readonly Condition[], row: JsonRow): Operation => ({
  op: 'update',
  table,
  where,
  row,
});

/**
 * Inserting a map key that exists changes nothing and still counts the row: delete the key first,
 * in the same list.
 */
export const mutate = (
  table: string,
  where: readonly Condition[],
  mutations: readonly Mutation[],
): Operation => ({ op: 'mutate', table, where, mutations });

/** For root tables; a row of another table goes when its last strong reference is mutated away. */
export const remove = (table: string, where: readonly Condition[]): Operation => ({
  op: 'delete',
  table,
  where,
});

/**
 * Goes on only if (`until` "==") exactly these rows match, compared by `columns` alone; a column
 * left out of a row of `rows` is compared with its default.
 * @param timeout milliseconds to wait for it; 0 (the default here) refuses at once. Pass Infinity
 * for the RFC's default, which has no limit.
 */
export const wait = (
  table: string,
  where: readonly Condition[],
  columns: readonly string[],
  rows: readonly JsonRow[],
  until: '==' | '!=' = '==',
  timeout = 0,
): Operation => ({
  op: 'wait',
  table,
  where,
  columns,
  until,
  rows,
  ...(timeout !== Infinity && { timeout }),
});

export const commit = (durable: boolean): Operation => ({ op: 'commit', durable });

/**
 * At the end: a dry run. Operations report as ever, but what is checked at commit (references,
 * indexes) is not checked.
 */
export const abort = (): Operation => ({ op: 'abort' });

/** Stored with the transaction in the database file. */
export const comment = (text: string): Operation => ({ op: 'comment', comment: text });

/**
 * Fails with `not owner` unless this connection holds the lock; see {@link Locks} for how little
 * that proves in a cluster.
 */
export const assertLock = (lock: string): Operation => ({ op: 'assert', lock });

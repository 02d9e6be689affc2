import {
  type DatabaseFile,
  type DatabaseSchema,
  type Operation,
  type OperationResult,
  type TransactResult,
  type Value,
} from '@ovn-steward/ovsdb';
import { MemoryChanges, count } from './memory-changes';
import { commit } from './memory-commit';
import { runOperation } from './memory-operations';
import { type MemoryRow, MemoryTable, targetsOf } from './memory-table';
import { OperationError } from './memory-values';

/** A row's columns in the JSON of RFC 7047 section 5.1, `_uuid` and `_version` left out. */
export type JsonColumns = Readonly<Record<string, unknown>>;

/**
 * What becomes of one write: its request is lost before it arrives, or its reply after it took
 * effect; or a raft leader that lost its majority runs it again, and answers of the second time.
 */
export type WriteFault = 'lose-request' | 'lose-reply' | 'run-twice' | undefined;

/** One database as ovsdb-server keeps it, in this process. */
export class MemoryDatabase {
  /** Asked before every write of a client. */
  fault: ((operations: readonly Operation[]) => WriteFault) | undefined;
  /**
   * Run, and waited for, before and after each request of a client takes effect: what other writers
   * do meanwhile.
   */
  between: (() => Promise<void> | void) | undefined;
  /** Of the raft cluster that serves it; undefined of a standalone server. */
  cid: string | undefined;
  #schema: DatabaseSchema;
  #tables: ReadonlyMap<string, MemoryTable>;
  #json = new Map<MemoryTable, { rows: Map<string, JsonColumns>; stale: Set<string> }>();
  #committed = 0;

  constructor(schema: DatabaseSchema) {
    this.#schema = schema;
    this.#tables = tablesOf(schema);
  }

  get schema(): DatabaseSchema {
    return this.#schema;
  }

  /**
   * One transaction, at once: all or nothing. A wait that does not hold is refused whatever its
   * timeout.
   */
  transact(
    operations: readonly Operation[],
    owns: (lock: string) => boolean = () => false,
  ): TransactResult {
    const changes = new MemoryChanges();
    const running = { tables: this.#tables, changes, owns, names: new Map() };
    const results: OperationResult[] = [];
    let at = 0;
    try {
      for (; at < operations.length; at++) results.push(runOperation(running, operations[at]!));
      commit(changes);
    } catch (error) {
      changes.rollback();
      if (!(error instanceof OperationError)) throw error;
      return refused(operations.length, results, error);
    }
    this.#note(changes.touched);
    return { ok: true, results };
  }

  /** The rows of a table as they are now. It is live: copy it to keep it. */
  rows(table: string): ReadonlyMap<string, JsonColumns> {
    const held = this.#table(table);
    const json = this.#json.get(held);
    if (json === undefined) {
      const rows = new Map(Array.from(held.rows.values(), (row) => [row.uuid, columnsOf(row)]));
      this.#json.set(held, { rows, stale: new Set() });
      return rows;
    }
    for (const uuid of json.stale) {
      const row = held.rows.get(uuid);
      if (row === undefined) json.rows.delete(uuid);
      else json.rows.set(uuid, columnsOf(row));
    }
    json.stale.clear();
    return json.rows;
  }

  /** Becomes what a database file holds, with the file's schema. What was read stays as it is. */
  load({ schema, replica }: DatabaseFile): void {
    this.#schema = schema;
    this.#tables = tablesOf(schema);
    this.#json.clear();
    for (const table of this.#tables.values()) {
      for (const from of replica.rows(table.name)) {
        const slots = table.columns.map((column, position) =>
          from.has(column.name) ? ownValue(from.get(column.name)) : table.defaults[position],
        );
        table.rows.set(from.uuid, {
          uuid: from.uuid,
          table,
          slots,
          json: [],
          keys: [],
          version: ++this.#committed,
        });
      }
    }
    for (const table of this.#tables.values()) for (const row of table.rows.values()) enter(row);
  }

  #note(touched: Iterable<MemoryRow>): void {
    for (const row of touched) {
      row.version = ++this.#committed;
      this.#json.get(row.table)?.stale.add(row.uuid);
    }
  }

  #table(name: string): MemoryTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new TypeError(`The database in memory has no table ${name}.`);
    return table;
  }
}

function tablesOf(schema: DatabaseSchema): ReadonlyMap<string, MemoryTable> {
  // A schema that declares no root declares all tables root (RFC 7047 section 3.2, "isRoot").
  const allRoot = ![...schema.tables.values()].some(({ isRoot }) => isRoot);
  const tables = new Map(
    Array.from(schema.tables.values(), (table) => [
      table.name,
      new MemoryTable(table, allRoot || table.isRoot),
    ]),
  );
  for (const table of tables.values()) table.connect(tables);
  return tables;
}

/** What changes in place later must not change in what was read. */
function ownValue(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  if (value instanceof Set) return new Set(value);
  return value instanceof Map ? new Map(value) : value;
}

/** A loaded row into the books of references and indexes. */
function enter(row: MemoryRow): void {
  const { table } = row;
  for (const [position, links] of table.links.entries())
    for (const link of links)
      for (const target of targetsOf(link, row.slots[position])) count(link, row, target, 1);
  for (const [at, index] of table.indexes.entries()) {
    const key = table.key(index, row);
    row.keys[at] = key;
    index.rows.set(key, row);
  }
}

const columnsOf = (row: MemoryRow): JsonColumns =>
  Object.freeze(
    Object.fromEntries(
      row.table.columns.map((column, position) => [column.name, row.table.json(row, position)]),
    ),
  );

/**
 * As a reply reads: what ran before keeps its result, the rest is void; an error at commit stands
 * behind them all.
 */
function refused(
  operations: number,
  results: readonly OperationResult[],
  { error, details }: OperationError,
): TransactResult {
  const at = results.length < operations ? results.length : 'commit';
  const failed = { kind: 'error', error, details, at } as const;
  if (at === 'commit') return { ok: false, results, error: failed };
  const rest = Array.from(
    { length: operations - results.length - 1 },
    () => ({ kind: 'void' }) as const,
  );
  return { ok: false, results: [...results, failed, ...rest], error: failed };
}

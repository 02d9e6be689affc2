import { randomUUID } from 'node:crypto';
import type { Operation, OperationResult, Value } from '@ovn-steward/ovsdb';
import type { MemoryChanges } from './memory-changes';
import { matching } from './memory-conditions';
import { mutationOf } from './memory-mutations';
import { keyOf, type MemoryRow, type MemoryTable, UUID_COLUMN } from './memory-table';
import { checkDefault, OperationError, readUuid, readValue, sameValues } from './memory-values';

/** One transaction while its operations run. */
export interface Running {
  readonly tables: ReadonlyMap<string, MemoryTable>;
  readonly changes: MemoryChanges;
  /** Whether the client that transacts owns the lock. */
  readonly owns: (lock: string) => boolean;
  /** uuid by uuid-name; `made` once an insert gave it. */
  readonly names: Map<string, { uuid: string; made: boolean }>;
}

type OperationOf<Name extends Operation['op']> = Extract<Operation, { op: Name }>;

/** Runs one operation. @throws OperationError. */
export function runOperation(running: Running, operation: Operation): OperationResult {
  switch (operation.op) {
    case 'insert':
      return insert(running, operation);
    case 'select':
      return select(running, operation);
    case 'update':
      return update(running, operation);
    case 'mutate':
      return mutate(running, operation);
    case 'delete':
      return remove(running, operation);
    case 'wait':
      return wait(running, operation);
    case 'commit':
    case 'comment':
      return { kind: 'done' };
    case 'abort':
      throw new OperationError('aborted', 'aborted by request');
    case 'assert':
      if (running.owns(operation.lock)) return { kind: 'done' };
      throw new OperationError('not owner', 'Asserted lock not held.');
  }
}

function tableOf({ tables }: Running, name: string): MemoryTable {
  const table = tables.get(name);
  if (table === undefined) throw new OperationError('syntax error', `No table named ${name}.`);
  return table;
}

function symbolOf({ names }: Running, name: string): { uuid: string; made: boolean } {
  let symbol = names.get(name);
  if (symbol === undefined) names.set(name, (symbol = { uuid: randomUUID(), made: false }));
  return symbol;
}

const resolver = (running: Running) => (name: string) => symbolOf(running, name).uuid;

function cellsOf(
  running: Running,
  table: MemoryTable,
  row: object,
): [position: number, value: Value][] {
  const names = resolver(running);
  return Object.entries(row).map(([name, json]) => {
    const position = table.position(name);
    return [position, readValue(table.column(position), json, names)];
  });
}

function insert(running: Running, operation: OperationOf<'insert'>): OperationResult {
  const { changes } = running;
  const table = tableOf(running, operation.table);
  const uuid = newUuid(running, table, operation);
  const slots = table.defaults.slice();
  const given = new Set<number>();
  for (const [position, value] of cellsOf(running, table, operation.row)) {
    if (position < 0) continue;
    slots[position] = value;
    given.add(position);
  }
  for (const [position, column] of table.columns.entries())
    if (!given.has(position)) checkDefault(column, slots[position]);
  changes.insert(table, uuid, slots);
  return { kind: 'inserted', uuid };
}

function newUuid(running: Running, table: MemoryTable, operation: OperationOf<'insert'>): string {
  const given = operation.uuid === undefined ? undefined : readUuid(operation.uuid);
  const { deleted, inserted } = running.changes;
  const gone = (row: MemoryRow): boolean =>
    row.table === table && row.uuid === given && !inserted.has(row);
  if (given !== undefined && (table.rows.has(given) || [...deleted].some(gone)))
    throw new OperationError(
      'duplicate uuid',
      'This UUID would duplicate a UUID already present within the table or deleted within the same transaction.',
    );
  const name = operation['uuid-name'];
  if (name === undefined) return given ?? randomUUID();
  const symbol = symbolOf(running, name);
  if (symbol.made)
    throw new OperationError(
      'duplicate uuid-name',
      'This "uuid-name" appeared on an earlier "insert" operation.',
    );
  symbol.made = true;
  return (symbol.uuid = given ?? symbol.uuid);
}

const chosen = (
  running: Running,
  operation: OperationOf<'select' | 'update' | 'mutate' | 'delete' | 'wait'>,
): [MemoryTable, MemoryRow[]] => {
  const table = tableOf(running, operation.table);
  return [table, matching(table, operation.where, resolver(running), running.changes)];
};

function select(running: Running, operation: OperationOf<'select'>): OperationResult {
  const [table, rows] = chosen(running, operation);
  const positions = (
    operation.columns ?? ['_uuid', '_version', ...table.columns.map(({ name }) => name)]
  ).map((name) => table.position(name, 'syntax error'));
  return {
    kind: 'selected',
    rows: distinct(table, rows, positions).map((row) =>
      Object.fromEntries(
        positions.map((position) => [table.column(position).name, table.json(row, position)]),
      ),
    ),
  };
}

/**
 * Rows that are alike in the columns asked for are given once (RFC 7047 does not say so;
 * ovsdb-server does it).
 */
function distinct(
  table: MemoryTable,
  rows: readonly MemoryRow[],
  positions: readonly number[],
): readonly MemoryRow[] {
  if (rows.length < 2 || positions.includes(UUID_COLUMN)) return rows;
  return [
    ...new Map(
      rows.map((row) => [keyOf(positions.map((position) => table.slot(row, position))), row]),
    ).values(),
  ];
}

function update(running: Running, operation: OperationOf<'update'>): OperationResult {
  const table = tableOf(running, operation.table);
  const cells = cellsOf(running, table, operation.row);
  for (const [position] of cells) {
    if (!table.column(position).mutable)
      throw new OperationError(
        'constraint violation',
        `Cannot update immutable column ${table.column(position).name} in table ${table.name}.`,
      );
  }
  const [, rows] = chosen(running, operation);
  for (const [at, row] of rows.entries()) {
    // Sets are changed in place later on: each row needs its own.
    for (const [position, value] of cells)
      running.changes.set(row, position, at > 0 && value instanceof Set ? new Set(value) : value);
  }
  return { kind: 'counted', count: rows.length };
}

function mutate(running: Running, operation: OperationOf<'mutate'>): OperationResult {
  const table = tableOf(running, operation.table);
  const names = resolver(running);
  const steps = operation.mutations.map((mutation) => mutationOf(table, mutation, names));
  const [, rows] = chosen(running, operation);
  for (const row of rows) for (const step of steps) step(row, running.changes);
  return { kind: 'counted', count: rows.length };
}

function remove(running: Running, operation: OperationOf<'delete'>): OperationResult {
  const [, rows] = chosen(running, operation);
  for (const row of rows) running.changes.delete(row);
  return { kind: 'counted', count: rows.length };
}

/**
 * Compares by the listed columns alone; a column that a given row leaves out is compared with its
 * default.
 */
function wait(running: Running, operation: OperationOf<'wait'>): OperationResult {
  if (operation.timeout !== 0)
    throw new TypeError(
      'The Northbound in memory waits for nothing: give its waits a timeout of 0.',
    );
  const [table, rows] = chosen(running, operation);
  const positions = operation.columns.map((name) => table.position(name, 'syntax error'));
  const wanted = operation.rows.map((row) => {
    const cells = new Map(cellsOf(running, table, row));
    return positions.map((position) =>
      cells.has(position) ? cells.get(position) : position < 0 ? NIL : table.defaults[position],
    );
  });
  const found = rows.map((row) => positions.map((position) => table.slot(row, position)));
  const same =
    found.every((row) => wanted.some((other) => sameValues(row, other))) &&
    wanted.every((row) => found.some((other) => sameValues(row, other)));
  if (same === (operation.until === '==')) return { kind: 'done' };
  throw new OperationError('timed out', '"wait" timed out');
}

const NIL = '00000000-0000-0000-0000-000000000000';

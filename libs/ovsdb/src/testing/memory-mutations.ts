import type { Atom, ColumnSchema, Mutation, Value } from '@ovn-steward/ovsdb';
import type { MemoryChanges } from './memory-changes';
import type { MemoryRow, MemoryTable } from './memory-table';
import {
  checkAtom,
  countOf,
  elementsOf,
  type Names,
  OperationError,
  readValue,
  small,
  type ValueType,
} from './memory-values';

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

type Step = (row: MemoryRow, changes: MemoryChanges) => void;

/** Reads one mutation and gives what it does to a row. */
export function mutationOf(
  table: MemoryTable,
  [name, mutator, json]: Mutation,
  names: Names,
): Step {
  const position = table.position(name);
  const column = table.column(position);
  if (!column.mutable)
    throw new OperationError(
      'constraint violation',
      `Cannot mutate immutable column ${name} in table ${table.name}.`,
    );
  if (mutator === 'insert' || mutator === 'delete') {
    if (column.kind === 'atom') throw mismatch(mutator, name);
    return mutator === 'insert'
      ? insertion(column, position, json, names)
      : deletion(column, position, json, names);
  }
  const numeric = column.key.type === 'integer' || column.key.type === 'real';
  if (column.value !== undefined || !numeric || (mutator === '%=' && column.key.type === 'real'))
    throw mismatch(mutator, name);
  const operand = readValue({ key: { type: column.key.type }, min: 1, max: 1 }, json, names) as
    number | bigint;
  return (row, changes) => {
    const results = Array.from(elementsOf(row.slots[position]), (element) =>
      checkAtom(column.key, calculate(column, mutator, element as number | bigint, operand)),
    );
    if (new Set(results).size !== results.length)
      throw new OperationError(
        'constraint violation',
        `Result of "${mutator}" operation contains duplicates.`,
      );
    changes.set(row, position, column.max > 1 ? new Set(results) : results[0]);
  };
}

const mismatch = (mutator: string, column: string): OperationError =>
  new OperationError(
    'syntax error',
    `Type mismatch: "${mutator}" operator may not be applied to column ${column}.`,
  );

function checkCount({ min, max }: ValueType, count: number): void {
  if (count < min || count > max)
    throw new OperationError(
      'constraint violation',
      `Attempted to store ${count} elements in a column that takes ${min} to ${max}.`,
    );
}

function insertion(column: ColumnSchema, position: number, json: unknown, names: Names): Step {
  const value = readValue({ ...column, min: 0 }, json, names);
  return (row, changes) => {
    const old = row.slots[position];
    if (column.kind === 'set') {
      const added = [...elementsOf(value)].filter(
        (element) => !(old as ReadonlySet<Atom>).has(element),
      );
      checkCount(column, countOf(old) + added.length);
      changes.add(row, position, added);
      return;
    }
    // A key that is there keeps its value.
    const now =
      column.value !== undefined
        ? new Map([...(value as ReadonlyMap<Atom, Atom>), ...(old as ReadonlyMap<Atom, Atom>)])
        : new Set([...elementsOf(old), ...elementsOf(value)]);
    checkCount(column, now.size);
    changes.set(
      row,
      position,
      column.value !== undefined
        ? (now as ReadonlyMap<Atom, Atom>)
        : (now as ReadonlySet<Atom>).values().next().value,
    );
  };
}

function deletion(column: ColumnSchema, position: number, json: unknown, names: Names): Step {
  const value = readDeletion(column, json, names);
  return (row, changes) => {
    const old = row.slots[position];
    if (column.kind === 'set') {
      const removed = [...elementsOf(value)].filter((element) =>
        (old as ReadonlySet<Atom>).has(element),
      );
      checkCount(column, countOf(old) - removed.length);
      changes.take(row, position, removed);
      return;
    }
    const now =
      column.value !== undefined
        ? withoutEntries(old as ReadonlyMap<Atom, Atom>, value)
        : [...elementsOf(value)].includes(old as Atom)
          ? undefined
          : old;
    checkCount(column, countOf(now));
    changes.set(row, position, now);
  };
}

/** Of a map: pairs, or, failing that, keys. */
function readDeletion(column: ColumnSchema, json: unknown, names: Names): Value {
  const type = { ...column, min: 0, max: Infinity };
  if (column.value === undefined) return readValue(type, json, names);
  try {
    return readValue(type, json, names);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return readValue({ key: column.key, min: 0, max: Infinity }, json, names);
  }
}

function withoutEntries(map: ReadonlyMap<Atom, Atom>, removed: Value): Value {
  const now = new Map(map);
  if (removed instanceof Map) {
    for (const [key, held] of removed as ReadonlyMap<Atom, Atom>)
      if (now.get(key) === held) now.delete(key);
  } else for (const key of elementsOf(removed)) now.delete(key);
  return now;
}

function calculate(
  column: ColumnSchema,
  mutator: string,
  element: number | bigint,
  operand: number | bigint,
): Atom {
  const divides = mutator === '/=' || mutator === '%=';
  if (column.key.type === 'real') {
    if (divides && operand === 0) throw new OperationError('domain error', 'Division by zero.');
    const a = Number(element);
    const b = Number(operand);
    const result =
      mutator === '+=' ? a + b : mutator === '-=' ? a - b : mutator === '*=' ? a * b : a / b;
    if (!Number.isFinite(result))
      throw new OperationError('range error', 'Result is out of range.');
    return result;
  }
  const a = BigInt(element);
  const b = BigInt(operand);
  if (divides && b === 0n) throw new OperationError('domain error', 'Division by zero.');
  const result =
    mutator === '+='
      ? a + b
      : mutator === '-='
        ? a - b
        : mutator === '*='
          ? a * b
          : mutator === '/='
            ? a / b
            : a % b;
  if (result < INT64.min || result > INT64.max)
    throw new OperationError('range error', 'Result is out of range.');
  return small(result);
}

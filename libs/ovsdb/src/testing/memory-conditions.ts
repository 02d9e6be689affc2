import { type Atom, type Condition, equal, type Value } from '@ovn-steward/ovsdb';
import { type MemoryChanges } from './memory-changes';
import { keyOf, type MemoryRow, type MemoryTable, UUID_COLUMN } from './memory-table';
import {
  countOf,
  elementsOf,
  hasElement,
  type Names,
  OperationError,
  readValue,
} from './memory-values';

interface Clause {
  readonly position: number;
  readonly compare: Condition[1];
  readonly value: Value;
}

const ORDER = new Set<Condition[1]>(['<', '<=', '>', '>=']);

function clauseOf(table: MemoryTable, [name, compare, json]: Condition, names: Names): Clause {
  const position = table.position(name);
  const column = table.column(position);
  const scalar = column.kind === 'atom';
  if (
    ORDER.has(compare) &&
    (column.max > 1 ||
      column.value !== undefined ||
      (column.key.type !== 'integer' && column.key.type !== 'real'))
  )
    throw new OperationError(
      'syntax error',
      `Type mismatch: "${compare}" operator may not be applied to column ${name}.`,
    );
  const relaxed =
    !scalar && (compare === 'includes' || compare === 'excludes')
      ? { ...column, min: 0, ...(compare === 'excludes' && { max: Infinity }) }
      : column;
  const type = ORDER.has(compare) ? { ...column, min: 1 } : relaxed;
  return { position, compare, value: readValue(type, json, names, column.max > 1 || type.max > 1) };
}

function* pairsOf(value: Value): Generator<readonly [Atom, Atom | undefined]> {
  if (value instanceof Map) yield* value as ReadonlyMap<Atom, Atom>;
  else for (const element of elementsOf(value)) yield [element, undefined];
}

function includesAll(field: Value, value: Value): boolean {
  for (const [element, held] of pairsOf(value)) if (!hasElement(field, element, held)) return false;
  return true;
}

function excludesAll(field: Value, value: Value): boolean {
  for (const [element, held] of pairsOf(value)) if (hasElement(field, element, held)) return false;
  return true;
}

function holds({ compare, value }: Clause, field: Value): boolean {
  switch (compare) {
    case '==':
      return equal(field, value);
    case '!=':
      return !equal(field, value);
    case 'includes':
      return includesAll(field, value);
    case 'excludes':
      return excludesAll(field, value);
    default:
      return (
        field !== undefined && value !== undefined && inOrder(compare, field as Atom, value as Atom)
      );
  }
}

const inOrder = (compare: '<' | '<=' | '>' | '>=', one: Atom, other: Atom): boolean =>
  compare === '<'
    ? one < other
    : compare === '<='
      ? one <= other
      : compare === '>'
        ? one > other
        : one >= other;

/** Rows that may qualify, found without looking at all of them where a condition allows that. */
function candidates(
  table: MemoryTable,
  clauses: readonly Clause[],
  { touched }: MemoryChanges,
): Iterable<MemoryRow> {
  for (const { position, compare, value } of clauses) {
    if (compare !== '==' && compare !== 'includes') continue;
    if (position === UUID_COLUMN) return optional(table.rows.get(value as string));
    const [element] = elementsOf(value);
    const link =
      countOf(value) === 0 ? undefined : table.links[position]?.find(({ part }) => part === 'key');
    if (link !== undefined)
      return [
        ...(link.to.referrers
          .get(element as string)
          ?.get(link)
          ?.keys() ?? []),
      ].filter((row) => table.rows.get(row.uuid) === row);
    const index =
      compare === '=='
        ? table.indexes.find(({ positions }) => positions.length === 1 && positions[0] === position)
        : undefined;
    // The index knows what was committed; what this transaction changed is read, too.
    if (index !== undefined)
      return new Set(
        [...optional(index.rows.get(keyOf([value]))), ...touched].filter(
          (row) => table.rows.get(row.uuid) === row,
        ),
      );
  }
  return table.rows.values();
}

const optional = (row: MemoryRow | undefined): MemoryRow[] => (row === undefined ? [] : [row]);

/** The rows for which all conditions hold. A condition may be a bare true or false. */
export function matching(
  table: MemoryTable,
  where: readonly (Condition | boolean)[],
  names: Names,
  changes: MemoryChanges,
): MemoryRow[] {
  const clauses = where
    .filter((condition) => typeof condition !== 'boolean')
    .map((condition) => clauseOf(table, condition, names));
  if (where.includes(false)) return [];
  const found: MemoryRow[] = [];
  for (const row of candidates(table, clauses, changes))
    if (clauses.every((clause) => holds(clause, table.slot(row, clause.position)))) found.push(row);
  return found;
}

import { OvsdbError } from '../wire/errors';

export type AtomType = 'integer' | 'real' | 'boolean' | 'string' | 'uuid';

/** RFC 7047 section 3.2, <base-type>. Bounds that the schema does not state are absent. */
export interface BaseType {
  readonly type: AtomType;
  readonly refTable?: string;
  /** Present exactly when `refTable` is; a schema that states none means strong. */
  readonly refType?: 'strong' | 'weak';
  readonly enum?: readonly unknown[];
  readonly minInteger?: number;
  readonly maxInteger?: number;
  readonly minReal?: number;
  readonly maxReal?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ColumnSchema {
  readonly name: string;
  /** Lives only in a server's memory: never stored in a database file. */
  readonly ephemeral: boolean;
  readonly mutable: boolean;
  /**
   * `optional` is zero or one; `set` may hold more than one; anything with a value type is a `map`.
   */
  readonly kind: 'atom' | 'optional' | 'set' | 'map';
  readonly key: BaseType;
  readonly value?: BaseType;
  readonly min: number;
  /** `Infinity` for the schema's "unlimited". */
  readonly max: number;
}

export interface TableSchema {
  readonly name: string;
  readonly isRoot: boolean;
  readonly maxRows: number;
  /** Each: the names of columns whose values together are unique in the table. */
  readonly indexes: readonly (readonly string[])[];
  readonly columns: ReadonlyMap<string, ColumnSchema>;
}

export interface DatabaseSchema {
  readonly name: string;
  readonly version: string;
  readonly tables: ReadonlyMap<string, TableSchema>;
  /** The schema as it was received, so that it can be written out again. */
  readonly json: unknown;
}

type Json = Record<string, unknown>;

const ATOM_TYPES: ReadonlySet<unknown> = new Set<AtomType>([
  'integer',
  'real',
  'boolean',
  'string',
  'uuid',
]);
const BOUNDS = [
  'minInteger',
  'maxInteger',
  'minReal',
  'maxReal',
  'minLength',
  'maxLength',
] as const;

const invalid = (where: string, what: string): OvsdbError =>
  new OvsdbError(
    'schema-invalid',
    `The schema is not valid at ${where}: ${what}. Ask the server or the file's writer for its schema again.`,
  );

const isObject = (json: unknown): json is Json =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

function member(json: Json, name: string): unknown {
  return Object.hasOwn(json, name) ? json[name] : undefined;
}

function object(json: unknown, where: string): Json {
  if (!isObject(json)) throw invalid(where, 'expected an object');
  return json;
}

function text(json: Json, name: string, where: string): string {
  const found = member(json, name);
  if (typeof found !== 'string') throw invalid(where, `member "${name}" must be a string`);
  return found;
}

function flag(json: Json, name: string, otherwise: boolean, where: string): boolean {
  const found = member(json, name) ?? otherwise;
  if (typeof found !== 'boolean') throw invalid(where, `member "${name}" must be true or false`);
  return found;
}

function enumOf(json: Json, where: string): readonly unknown[] | undefined {
  const found = member(json, 'enum');
  if (found === undefined) return undefined;
  if (!Array.isArray(found)) return [found];
  if (found[0] === 'set' && Array.isArray(found[1])) return found[1] as unknown[];
  throw invalid(where, '"enum" must be one value or a set');
}

function parseBaseType(json: unknown, where: string): BaseType {
  const from: Json = typeof json === 'string' ? { type: json } : object(json, where);
  const type = member(from, 'type');
  if (!ATOM_TYPES.has(type))
    throw invalid(where, `${JSON.stringify(type)} is not a type of RFC 7047`);
  const base: { -readonly [K in keyof BaseType]: BaseType[K] } = { type: type as AtomType };
  const refTable = member(from, 'refTable');
  if (typeof refTable === 'string') {
    const refType = member(from, 'refType') ?? 'strong';
    if (refType !== 'strong' && refType !== 'weak')
      throw invalid(where, '"refType" must be "strong" or "weak"');
    base.refTable = refTable;
    base.refType = refType;
  }
  const values = enumOf(from, where);
  if (values) base.enum = values;
  for (const bound of BOUNDS) {
    const found = member(from, bound);
    if (found !== undefined) base[bound] = Number(found);
  }
  return base;
}

function parseCount(json: unknown, otherwise: number, where: string): number {
  if (json === undefined) return otherwise;
  if (json === 'unlimited') return Infinity;
  if (typeof json === 'number' && Number.isInteger(json) && json >= 0) return json;
  throw invalid(where, `${JSON.stringify(json)} is not a number of elements`);
}

const kindOf = (isMap: boolean, min: number, max: number): ColumnSchema['kind'] =>
  isMap ? 'map' : max > 1 ? 'set' : min === 1 ? 'atom' : 'optional';

function parseColumn(name: string, json: unknown, where: string): ColumnSchema {
  const from = object(json, where);
  const type = member(from, 'type');
  const long: Json = typeof type === 'string' ? { key: type } : object(type, `${where}, type`);
  const min = parseCount(member(long, 'min'), 1, where);
  const max = parseCount(member(long, 'max'), 1, where);
  if (min > 1 || max < 1) throw invalid(where, `from ${min} to ${max} elements is not allowed`);
  const value = member(long, 'value');
  return {
    name,
    ephemeral: flag(from, 'ephemeral', false, where),
    mutable: flag(from, 'mutable', true, where),
    kind: kindOf(value !== undefined, min, max),
    key: parseBaseType(member(long, 'key'), `${where}, key`),
    ...(value !== undefined && { value: parseBaseType(value, `${where}, value`) }),
    min,
    max,
  };
}

function parseIndexes(
  json: unknown,
  columns: ReadonlyMap<string, ColumnSchema>,
  where: string,
): string[][] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw invalid(where, '"indexes" must be an array');
  return json.map((index: unknown) => {
    if (!Array.isArray(index) || index.length === 0)
      throw invalid(where, 'each index must be an array of columns');
    for (const column of index)
      if (!columns.has(column as string))
        throw invalid(where, `an index names ${JSON.stringify(column)}, which is no column`);
    return index as string[];
  });
}

function parseTable(name: string, json: unknown): TableSchema {
  const where = `table ${name}`;
  const from = object(json, where);
  const columns = new Map(
    Object.entries(object(member(from, 'columns'), `${where}, columns`)).map(([column, type]) => [
      column,
      parseColumn(column, type, `${where}, column ${column}`),
    ]),
  );
  return {
    name,
    isRoot: flag(from, 'isRoot', false, where),
    maxRows: parseCount(member(from, 'maxRows'), Infinity, where),
    indexes: parseIndexes(member(from, 'indexes'), columns, where),
    columns,
  };
}

/**
 * Reads a database schema (RFC 7047 section 3.2), as `get_schema` or a database file gives it.
 * Members it does not know are left alone; a missing `refType` means strong, a missing `isRoot`
 * means false.
 *
 * @throws OvsdbError `schema-invalid`, naming the table and column.
 */
export function parseSchema(json: unknown): DatabaseSchema {
  const from = object(json, 'the top');
  const tables = object(member(from, 'tables'), 'tables');
  return {
    name: text(from, 'name', 'the top'),
    version: text(from, 'version', 'the top'),
    tables: new Map(Object.entries(tables).map(([name, table]) => [name, parseTable(name, table)])),
    json,
  };
}

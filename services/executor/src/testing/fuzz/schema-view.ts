import type { DatabaseSchema, Operation } from '@ovn-steward/ovsdb';
import type { Northbound, RefusedTransaction } from '@ovn-steward/systems/northbound/northbound';

/** What a server of another version does not have: a table, or a column of one. */
export interface Missing {
  readonly table: string;
  readonly column?: string;
}

/**
 * The schema a server shows now. What it does not show is there all the same, and comes back with
 * it.
 */
export interface SchemaView {
  /** Grows with every change: a conversion ends every connection. */
  readonly version: number;
  readonly missing: readonly Missing[];
}

/** A column that holds what the missing table has cannot be there without it. */
function without(schema: DatabaseSchema, missing: readonly Missing[]): DatabaseSchema {
  const tables = missing.filter(({ column }) => column === undefined).map(({ table }) => table);
  const hidden = new Set(missing.map(({ table, column }) => `${table} ${column}`));
  return {
    ...schema,
    version: `${schema.version}-without`,
    tables: new Map(
      [...schema.tables]
        .filter(([name]) => !tables.includes(name))
        .map(([name, table]) => [
          name,
          {
            ...table,
            columns: new Map(
              [...table.columns].filter(
                ([column, { key, value }]) =>
                  !hidden.has(`${name} ${column}`) &&
                  ![key.refTable, value?.refTable].some((it) => tables.includes(it ?? '')),
              ),
            ),
          },
        ]),
    ),
  };
}

/** A guard compares the columns it lists. */
const namesIn = (operation: Operation): readonly string[] => {
  const { where, row, columns, mutations } = operation as {
    readonly where?: readonly (readonly [string, ...unknown[]])[];
    readonly row?: object;
    readonly columns?: readonly string[];
    readonly mutations?: readonly (readonly [string, ...unknown[]])[];
  };
  return [
    ...(where ?? []).map(([it]) => it),
    ...(mutations ?? []).map(([it]) => it),
    ...(columns ?? []),
    ...Object.keys(row ?? {}),
  ];
};

/** How ovsdb-server refuses what names a table or column its schema does not have: all of it. */
function refusedBy(
  schema: DatabaseSchema,
  operations: readonly Operation[],
): RefusedTransaction | undefined {
  for (const [at, operation] of operations.entries()) {
    if (!('table' in operation)) continue;
    const table = schema.tables.get(operation.table);
    const unknown = table
      ? namesIn(operation).find((it) => !it.startsWith('_') && !table.columns.has(it))
      : operation.table;
    if (unknown !== undefined)
      return { is: 'refused', error: 'syntax error', details: `no ${unknown}`, at };
  }
  return undefined;
}

/** The same database as a server of that schema shows it. */
export function viewed(northbound: Northbound, view: () => SchemaView): Northbound {
  let known: { readonly of: SchemaView; readonly schema: DatabaseSchema } | undefined;
  const schema = async (signal: AbortSignal): Promise<DatabaseSchema> => {
    const full = await northbound.schema(signal);
    const of = view();
    if (of.missing.length === 0) return full;
    if (known?.of !== of) known = { of, schema: without(full, of.missing) };
    return known.schema;
  };
  const shown = (result: unknown, table: string, { tables }: DatabaseSchema): unknown => {
    const { rows } = result as { readonly rows?: readonly object[] };
    const has = tables.get(table)?.columns;
    return rows === undefined || !has
      ? result
      : {
          ...(result as object),
          rows: rows.map((row) =>
            Object.fromEntries(
              Object.entries(row).filter(([name]) => name.startsWith('_') || has.has(name)),
            ),
          ),
        };
  };
  const requested =
    (send: Northbound['read']): Northbound['read'] =>
    async (operations, signal) => {
      const now = await schema(signal);
      const refused = refusedBy(now, operations);
      if (refused !== undefined) return refused;
      const answer = await send(operations, signal);
      if (answer.is === 'refused' || view().missing.length === 0) return answer;
      return {
        ...answer,
        results: answer.results.map((result, nth) => {
          const operation = operations[nth];
          return operation?.op === 'select'
            ? (shown(result, operation.table, now) as typeof result)
            : result;
        }),
      };
    };
  return Object.assign(Object.create(northbound) as Northbound, {
    schema,
    read: requested((operations, signal) => northbound.read(operations, signal)),
    write: requested((operations, signal) => northbound.write(operations, signal)),
    connections: () => northbound.connections() + 1_000_000 * view().version,
  });
}

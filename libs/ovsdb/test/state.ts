import type { Replica } from '../src/replica/replica';
import type { Value } from '../src/schema/value';

/** All rows of a replica in a form that compares: table → uuid → column → value. */
export function stateOf(replica: Replica): Map<string, Map<string, Map<string, Value>>> {
  const rows = (table: string) =>
    Array.from(
      replica.rows(table),
      (row) =>
        [
          row.uuid,
          new Map(Array.from(row.columns(), ([{ name }, value]) => [name, value] as const)),
        ] as const,
    );
  return new Map(
    Array.from(replica.schema.tables.keys(), (table) => [table, new Map(rows(table))] as const),
  );
}

/** Every reference of every row that has no target: `Table.column`, as the schema declares them. */
export function brokenReferences(replica: Replica): string[] {
  const broken: string[] = [];
  for (const table of replica.schema.tables.keys())
    for (const row of replica.rows(table))
      for (const [column, value] of row.columns()) {
        const { refTable } = column.key;
        if (refTable === undefined || value === undefined || value instanceof Map) continue;
        const targets =
          value instanceof Set ? [...(value as ReadonlySet<string>)] : [value as string];
        for (const target of targets)
          if (!replica.get(refTable, target)) broken.push(`${table}.${column.name}`);
      }
  return broken;
}

import { type Json, operation, type Operation } from '@ovn-steward/ovsdb';
import { textNames, textReferences, } from '@ovn-steward/judgement/ownership/references';
import { titleOf } from '@ovn-steward/judgement/ownership/row';
import { ask, type Selected } from './ask';
import { type Family, rowKey } from './family';
import type { Trim } from './nb-row';
import type { Northbound } from './northbound';
import { uuidOf } from './stored-columns';
import { namingConditions, scannedColumns } from './text-columns';

/** That still nobody names the row, as far as the server can look for it. */
export const namingGuards = ({ schema, members: [target] }: Family): readonly Operation[] =>
  namingConditions(schema, target.table, target.name).map(({ table, where }) => operation.wait(table, where, ['_uuid'], []));

/**
 * The first row that names the one to be removed in a text, which the database neither checks nor repairs: a port by its name, a group, set or
 * meter in a match too. Those that go with it do not count. The expressions have to be read all, since no condition looks into them: only
 * for groups, sets and meters.
 */
export async function namedBy(northbound: Northbound, family: Family, trim: Trim, signal: AbortSignal): Promise<string | undefined> {
  const { schema, members: [target] } = family;
  const exact = namingConditions(schema, target.table, target.name);
  const scanned = [...scannedColumns(schema, target.table, target.name)];
  const name = (table: string): readonly string[] => (schema.tables.get(table)?.columns.has('name') === true ? ['_uuid', 'name'] : ['_uuid']);
  const answers = await ask(northbound, [
    ...exact.map(({ table, where }) => operation.select(table, where, name(table))),
    ...scanned.map(([table, columns]) => operation.select(table, [], [...new Set([...name(table), ...columns])])),
  ], signal);

  for (const [nth, { table, says }] of exact.entries()) {
    const row = answers[nth]?.[0];
    if (row) return `${titleOf(trim(table, uuidOf(row), row))} names it (${says})`;
  }
  const goes = new Set(family.members.map((it) => rowKey(it.table, it.uuid)));
  const wanted = textNames(trim(target.table, target.uuid, target.columns));
  for (const [nth, [table, columns]] of scanned.entries()) {
    for (const row of answers[exact.length + nth] ?? []) {
      if (goes.has(rowKey(table, uuidOf(row)))) continue;
      const says = textReferences(trim(table, uuidOf(row), row));
      if (says.some((it) => wanted.includes(it)) || columns.some((it) => isInMap(row, it, target.name))) return `${titleOf(trim(table, uuidOf(row), row))} names it`;
    }
  }
  return undefined;
}

/** A map of a newer schema: whether the name stands in it, as a key or a value. */
function isInMap(row: Selected, column: string, name: string): boolean {
  const json = row[column];
  if (!Array.isArray(json) || json[0] !== 'map' || !Array.isArray(json[1])) return false;
  return (json[1] as readonly (readonly Json[])[]).some((pair) => pair.includes(name));
}

import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { type UuidColumn, rowReferences } from './row-references';

const never = new AbortController().signal;
const named = (columns: readonly UuidColumn[]): string[] =>
  columns.map(({ table, column }) => `${table}.${column.name}`).sort();

let references: ReturnType<typeof rowReferences>;
beforeAll(async () => {
  references = rowReferences(await (await recordedNorthbound('leaky')).schema(never));
});

test('rows are held by strong references, as the schema of the Northbound has them', () => {
  expect(named(references.holdersOf('Logical_Switch_Port'))).toEqual(['Logical_Switch.ports']);
  expect(named(references.holdersOf('ACL'))).toEqual(['Logical_Switch.acls', 'Port_Group.acls']);
  expect(references.holdersOf('Logical_Switch')).toEqual([]);
  expect(references.holdersOf('No_Such_Table')).toEqual([]);
});

test('groups refer to their ports, and are no holders of them nor weak ones', () => {
  expect(named(references.groupsOf('Logical_Switch_Port'))).toEqual(['Port_Group.ports']);
  expect(named(references.weakOf('Logical_Switch_Port'))).not.toContain('Port_Group.ports');
});

test('weak references are those the schema calls so, in keys and in values', () => {
  expect(named(references.weakOf('Load_Balancer'))).toEqual(
    expect.arrayContaining(['Logical_Router.load_balancer', 'Logical_Switch.load_balancer']),
  );
  expect(named(references.weakOf('ACL'))).toEqual([]);
  for (const table of ['Logical_Switch_Port', 'Load_Balancer', 'ACL', 'Meter', 'BFD'])
    for (const column of references.weakOf(table))
      expect([column.column.key, column.column.value]).toContainEqual(
        expect.objectContaining({ refTable: table, refType: 'weak' }),
      );
});

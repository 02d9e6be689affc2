import { type RowDeletion, rowDeletion } from './row-deletion';

test.each([
  ['BFD', 'delete-bfd'],
  ['Meter', 'delete-meter'],
  ['Logical_Router_Static_Route', 'delete-logical-router-static-route'],
])('a row of %s is deleted by %s', (table, id) => expect(rowDeletion(table)).toBe(id));

test('the type is the same text', () => {
  const id: RowDeletion<'HA_Chassis_Group'> = 'delete-ha-chassis-group';
  expect(rowDeletion('HA_Chassis_Group')).toBe(id);
});

import { checkSchema, foreignCluster, foreignDatabase } from './failure';

const schema = (name: string, ...tables: readonly string[]) => ({
  name,
  tables: new Map(tables.map((it) => [it, {}])),
});

test.each([
  ['OVN_Southbound', 'It is of the Southbound: name one of the Northbound in its place.'],
  ['Open_vSwitch', 'Name one whose schema is OVN_Northbound.'],
])('%s in place of a Northbound', (name, advice) => {
  expect(() => checkSchema('ovn-nb', schema(name), 'old.db')).toThrow(
    `old.db holds the database ${name}, not OVN_Northbound. ${advice}`,
  );
});

test('what has the name alone is not said to be another', () => {
  expect(() => checkSchema('ovn-nb', schema('OVN_Northbound', 'ACL'), 'old.db')).toThrow(
    'old.db is called OVN_Northbound and has no table Logical_Switch_Port, which every version of OVN since 20.03 has. Name one that OVN made.',
  );
  checkSchema('ovn-nb', schema('OVN_Northbound', 'Logical_Switch_Port'), 'new.db');
});

test('who named the server of another database is told to check the address, not to remove state', () => {
  const { code, message } = foreignDatabase('ovn-nb', 'OVN_Southbound');
  expect(code).toBe('input-foreign-schema');
  expect(message).toBe(
    'A server given for OVN_Northbound has the database OVN_Southbound and no OVN_Northbound. Check its address and port.',
  );
});

test('who recreated the cluster is told what to remove', () => {
  expect(foreignCluster('ovn-nb', 'speaks for cluster b').message).toMatch(
    /^A server given for OVN_Northbound speaks for cluster b\. .*collector's state/,
  );
});

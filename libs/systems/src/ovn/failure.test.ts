import { foreignCluster, foreignDatabase } from './failure';

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

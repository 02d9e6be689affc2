import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import { referring } from './nb-picture';

test.each([
  ['Logical_Switch_Port', 'weak', ['Port_Group.ports']],
  ['Logical_Switch_Port', 'strong', ['Logical_Switch.ports']],
  [
    'DHCP_Options',
    'weak',
    ['Logical_Switch_Port.dhcpv4_options', 'Logical_Switch_Port.dhcpv6_options'],
  ],
  ['DHCP_Options', 'strong', []],
  ['ACL', 'strong', ['Logical_Switch.acls', 'Port_Group.acls']],
  ['Port_Group', 'weak', []],
] as const)('to a %s refer by a %s reference: %j', async (table, strength, columns) => {
  const { schema } = await recordedDatabase('shared-neutron');
  expect(
    referring(schema, table, strength)
      .map((it) => `${it.table}.${it.column}`)
      .sort(),
  ).toEqual(columns);
});

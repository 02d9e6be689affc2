const PORT =
  'Southbound makes a new Port_Binding with a new tunnel key: the port is down until it is bound again, and traffic through it was cut';

/** What putting a row of the table back does not bring back, whatever else there is. */
const LOSSES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'Logical_Switch_Port',
    [
      PORT,
      'the controller may have forgotten that the address is in use, and give it away, until it starts again',
    ],
  ],
  ['Logical_Router_Port', [PORT]],
  ['NAT', ['connections through it were cut']],
  ['Load_Balancer', ['connections through it were cut']],
  ['Load_Balancer_Health_Check', ['it learns the state of its backends again']],
  ['BFD', ['the session begins down and is negotiated again']],
  ['ACL', ['traffic was filtered without it in between']],
  ['Port_Group', ['traffic was filtered without its ACLs in between']],
  ['Logical_Router_Policy', ['traffic was routed without it in between']],
  ['Logical_Router_Static_Route', ['traffic was routed without it in between']],
  ['QoS', ['traffic was not limited or marked by it in between']],
  ['Meter', ['what it had counted']],
]);

export const lossesOf = (table: string): readonly string[] => LOSSES.get(table) ?? [];

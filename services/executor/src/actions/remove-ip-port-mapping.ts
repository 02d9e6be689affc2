import { operation } from '@ovn-steward/ovsdb';
import { removesEntry } from '../action-kit/remove-entry';

export default removesEntry({
  id: 'remove-ip-port-mapping',
  table: 'Load_Balancer',
  column: 'ip_port_mappings',
  onlyApproved: false,
  rank: 42,
  does: 'Takes the port a backend is checked from out of the load balancer.',
  undoing:
    'The mapping comes back, unless the backend was given another; the backend was not checked in between.',
  // Clients make the port before they map to it, and map again after this.
  requires: (mapping) => [
    operation.wait(
      'Logical_Switch_Port',
      [['name', '==', mapping.split(':', 1)[0]!]],
      ['_uuid'],
      [],
    ),
  ],
});

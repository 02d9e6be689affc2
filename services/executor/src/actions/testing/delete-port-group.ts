import { operation } from '@ovn-steward/ovsdb';
import { acl, GROUND, into, keys, plantedRow, rowId } from '../../testing/plants';

const { insert, set, uuid } = operation;

export const plant = plantedRow(
  'Port_Group',
  'ovn.sg.gone',
  {
    name: 'ovn.sg.gone',
    ports: uuid(GROUND.neighbour),
    acls: set([uuid(rowId(115)), uuid(rowId(116)), uuid(rowId(117))]),
    external_ids: keys(['type', 'security_group'], ['sg', 'gone']),
  },
  [
    insert('ACL', acl('outport == @ovn.sg.gone && ip4', 'ovn.sg.gone'), rowId(115)),
    insert(
      'ACL',
      { ...acl('inport == @ovn.sg.gone && ip6', 'ovn.sg.gone'), direction: 'from-lport' },
      rowId(116),
    ),
    insert('ACL', acl('ip4.src == 10.93.0.0/24', 'ovn.sg.gone'), rowId(117)),
    into('Logical_Switch', GROUND.switch, 'acls', rowId(117)),
  ],
  [`ACL ${rowId(115)}`, `ACL ${rowId(116)}`],
);

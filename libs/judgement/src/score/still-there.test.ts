import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { port, row } from '../testing/builders';
import { world } from '../testing/world-builder';
import { isStillThere } from './still-there';

const balancer = row('Load_Balancer', 'lb', { uid: 'lb', vips: { '10.96.0.1:80': '' } });
const group = row('Port_Group', 'pg', { uid: 'pg' });
const member = port('web-0.shop', { uid: 'p', _port_groups: ['pg'] });
const given = world(balancer, group, member).fold();
const subject = (kind: string, uid: string, part?: { column: string; key: string }) =>
  ({ subject: { source: 'ovn-nb', kind, uid, name: '', ...(part && { part }) } }) as Finding;

test.each([
  ['the row', subject('Load_Balancer', 'lb'), true],
  ['a row that is gone', subject('Load_Balancer', 'before'), false],
  ['an entry', subject('Load_Balancer', 'lb', { column: 'vips', key: '10.96.0.1:80' }), true],
  ['an entry that is gone', subject('Load_Balancer', 'lb', { column: 'vips', key: 'x' }), false],
  ['a column that is gone', subject('Load_Balancer', 'lb', { column: 'a.b', key: 'x' }), false],
  [
    'a membership, by the name of its group',
    subject('Logical_Switch_Port', 'p', { column: '_port_groups', key: 'pg' }),
    true,
  ],
  [
    'a membership that is gone',
    subject('Logical_Switch_Port', 'p', { column: '_port_groups', key: 'other' }),
    false,
  ],
])('%s: %#', (_, finding, is) => expect(isStillThere(finding, given)).toBe(is));

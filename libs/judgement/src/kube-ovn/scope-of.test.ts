import { entityOf, ip, object, port, row } from '../testing/builders';
import { scopeOf } from './scope-of';

test.each([
  ['a switch port by its key', port('web-0.shop', { ls: 'apps' }), { subnet: 'apps' }],
  [
    'a router port by its key',
    row('Logical_Router_Port', 'blue-apps', { external_ids: { lr: 'blue' } }),
    { vpc: 'blue' },
  ],
  ['a router by its name', row('Logical_Router', 'blue'), { vpc: 'blue' }],
  [
    'a policy by its key',
    row('Logical_Router_Policy', '', { uid: 'p', external_ids: { subnet: 'apps' } }),
    { subnet: 'apps' },
  ],
  [
    'a group of a subnet',
    row('Port_Group', 'apps.worker', { external_ids: { subnet: 'apps', node: 'worker' } }),
    { subnet: 'apps' },
  ],
  [
    'a set of a VPC',
    row('Address_Set', 'blue.x', { external_ids: { vpc: 'blue' } }),
    { vpc: 'blue' },
  ],
  ['an address record', ip('web-0.shop', { subnet: 'apps' }), { subnet: 'apps' }],
  ['a Vip', object('Vip', 'v', { spec: { subnet: 'apps' } }), { subnet: 'apps' }],
  [
    'a pod by its annotation',
    object('Pod', 'shop/web-0', {
      metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': 'apps' } },
    }),
    { subnet: 'apps' },
  ],
  [
    'a subnet, with its VPC',
    object('Subnet', 'apps', { spec: { vpc: 'blue' } }),
    { subnet: 'apps', vpc: 'blue' },
  ],
  [
    'a subnet of no VPC that it names',
    object('Subnet', 'apps', { spec: { vpc: '' } }),
    { subnet: 'apps' },
  ],
])('%s', (_, built, scope) => expect(scopeOf(entityOf(built as never))).toEqual(scope));

test.each([
  [
    'a balancer',
    row('Load_Balancer', 'cluster-tcp-loadbalancer', { external_ids: { vendor: 'kube-ovn' } }),
  ],
  ["a policy's group", row('Port_Group', 'web.shop', { external_ids: { np: 'shop/web' } })],
  ['a port without keys', row('Logical_Switch_Port', 'x')],
  ['a key that is no text', row('Logical_Switch_Port', 'x', { external_ids: { ls: 7 } as never })],
  ['a kind nobody knows', row('NAT', '', { uid: 'n' })],
])('none: %s', (_, built) => expect(scopeOf(entityOf(built as never))).toBeUndefined());

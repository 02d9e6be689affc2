import { ip, object, pod, statefulSet } from '../testing/builders';
import { formerAddress } from '../testing/former-address';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './kept-address-lost';

const set = statefulSet('shop/redis');
const machine = object('VirtualMachine', 'shop/vm', { spec: { running: false } });
const subnet = object('Subnet', 'apps', {
  spec: { cidrBlock: '10.17.0.0/24', gateway: '10.17.0.1', excludeIps: [] },
});
const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['f'] };
const former = formerAddress('redis-1.shop', set);
const ofMachine = formerAddress('vm.shop', machine);
const reservation = formerAddress('static-1.shop', undefined);
const launcher = pod('shop/virt-launcher-vm-x', {
  metadata: { annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm' } },
});

testRule(rule, {
  healthy: {
    'the record is there again': world(former, set, subnet, ip('redis-1.shop', {}, { uid: 'new' })),
    'its pod is there, and other rules say what it lacks': world(
      former,
      set,
      subnet,
      pod('shop/redis-1'),
    ),
    'the machine runs': world(ofMachine, machine, subnet, launcher),
    'the machine is being deleted': world(
      ofMachine,
      object('VirtualMachine', 'shop/vm', { spec: {}, metadata: terminating }),
      subnet,
    ),
    'the set is gone': world(former, subnet),
    'the subnet is gone': world(former, set),
    'the subnet is being deleted': world(
      former,
      set,
      object('Subnet', 'apps', { spec: { cidrBlock: '10.17.0.0/24' }, metadata: terminating }),
    ),
    'the address was excluded from the subnet': world(
      former,
      set,
      object('Subnet', 'apps', {
        spec: { cidrBlock: '10.17.0.0/24', excludeIps: ['10.17.0.9..10.17.0.11'] },
      }),
    ),
    'nothing is remembered': world(set, machine, subnet),
  },
  violation: {
    'a set’s pod is absent': {
      given: world(former, set, subnet),
      summary:
        'IP redis-1.shop kept 10.17.0.10 of subnet apps, which anybody may get now, for pod shop/redis-1 of StatefulSet shop/redis, and was deleted at 2026-01-01T00:10:00Z',
      concerns: [],
    },
    'a machine is stopped, and another has its address': {
      given: world(ofMachine, machine, subnet, ip('web.shop')),
      summary:
        'IP vm.shop kept 10.17.0.10 of subnet apps, which IP web.shop has now, for VirtualMachine shop/vm, and was deleted at 2026-01-01T00:10:00Z',
      concerns: ['web.shop'],
    },
    'a reservation went as a controller started': {
      given: world(reservation, subnet),
      summary:
        'IP static-1.shop kept 10.17.0.10 of subnet apps, which anybody may get now, for the pod shop/static-1 that is still to come, and was deleted at 2026-01-01T00:10:00Z, after a controller took the lead at 2026-01-01T00:09:40Z',
    },
  },
});

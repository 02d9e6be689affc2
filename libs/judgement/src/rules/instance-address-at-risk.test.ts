import { ip, object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './instance-address-at-risk';

const record = (over: Parameters<typeof ip>[2] = {}) =>
  ip('vm.vms', { podType: 'VirtualMachine' }, over);
const deleted = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const instance = (over: Parameters<typeof object>[2] = {}) =>
  object('VirtualMachineInstance', 'vms/vm', over);
const says =
  'IP vm.vms is of machine instance vms/vm, which has no VirtualMachine: the next start of the controller deletes it';

testRule(rule, {
  healthy: {
    'its machine is there': world(record(), instance(), object('VirtualMachine', 'vms/vm')),
    'its instance is gone: that is a leak': world(record()),
    'its instance is being deleted': world(record(), instance(deleted)),
    'it is being deleted': world(record(deleted), instance()),
    'it is of a pod': world(ip('vm.vms'), instance()),
    'it names no namespace': world(
      ip('vm.vms', { podType: 'VirtualMachine', namespace: '' }),
      instance(),
    ),
  },
  violation: {
    'its instance was made by itself': {
      given: world(record(), instance(), object('VirtualMachine', 'vms/other')),
      says,
      concerns: ['vm'],
    },
  },
});

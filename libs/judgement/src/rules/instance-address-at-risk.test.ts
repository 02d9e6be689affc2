import { ip, object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './instance-address-at-risk';

const record = (over: Parameters<typeof ip>[2] = {}) =>
  ip('vm.vms', { podType: 'VirtualMachine' }, over);
const deleted = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const instance = (over: Parameters<typeof object>[2] = {}) =>
  object('VirtualMachineInstance', 'vms/vm', over);
const launcher = (over: Parameters<typeof pod>[1] = {}) => pod('vms/virt-launcher-vm-x', over);
/** As it is made with `keep-vm-ip=false`. */
const ofLauncher = () =>
  ip('virt-launcher-vm-x.vms', { podName: 'virt-launcher-vm-x', podType: 'VirtualMachine' });
const controller = (release: string, ...flags: string[]) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { replicas: 1, template: { spec: { flags, release } } },
  });
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
    'the record of a launcher whose pod is over: that is a leak': world(
      ofLauncher(),
      launcher({ status: { phase: 'Succeeded' } }),
    ),
    'a machine is called as the launcher': world(
      ofLauncher(),
      launcher(),
      object('VirtualMachine', 'vms/virt-launcher-vm-x'),
    ),
    'a release that does not ask for the owner': world(
      ofLauncher(),
      launcher(),
      controller('v1.14.6'),
    ),
    'nothing is collected': world(record(), instance(), controller('v1.15.24', '--gc-interval=0')),
  },
  violation: {
    'the launcher has a record of its own (keep-vm-ip=false)': {
      given: world(
        ofLauncher(),
        launcher(),
        object('VirtualMachine', 'vms/vm'),
        controller('v1.14.7', '--gc-interval=360'),
      ),
      summary:
        'IP virt-launcher-vm-x.vms is of pod vms/virt-launcher-vm-x, and no VirtualMachine has its name: the next start of the controller deletes it',
      concerns: ['virt-launcher-vm-x'],
    },
    'the release is not known': {
      given: world(record(), instance(), controller('latest')),
      summary: says,
    },
    'its instance was made by itself': {
      given: world(record(), instance(), object('VirtualMachine', 'vms/other')),
      summary: says,
      concerns: ['vm'],
    },
  },
});

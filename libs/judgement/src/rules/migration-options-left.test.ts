import { object, pod, port } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './migration-options-left';

const requesting = (chassis: string, ids: Record<string, string> = {}) =>
  port('vm.vms', {
    options: { 'requested-chassis': chassis, 'activation-strategy': 'rarp' },
    external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm', ...ids },
  });
const migration = (phase: string | undefined, vmiName = 'vm', namespace = 'vms') =>
  object('VirtualMachineInstanceMigration', `${namespace}/m`, {
    spec: { vmiName },
    ...(phase === undefined ? {} : { status: { phase } }),
  });
const launcher = (name: string, over: Record<string, unknown> = {}) =>
  pod(`vms/${name}`, {
    metadata: { annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm' } },
    ...over,
  });
const says =
  'port vm.vms asks for the chassis worker-1,worker-2, and no migration of machine vms/vm is under way';

testRule(rule, {
  healthy: {
    'a migration is under way': world(requesting('worker-1,worker-2'), migration('Running')),
    'a migration begins': world(requesting('worker-1,worker-2'), migration(undefined)),
    'two launchers live': world(
      requesting('worker-1,worker-2'),
      launcher('a'),
      launcher('b', { status: { phase: 'Pending' } }),
    ),
    'it asks for one chassis': world(requesting('worker-1'), requesting('worker-1,')),
    'it asks for none': world(requesting(''), port('vm.vms')),
    "it is somebody else's": world(requesting('worker-1,worker-2', { vendor: 'other' })),
    'it says of no machine': world(requesting('worker-1,worker-2', { pod: '' })),
  },
  violation: {
    'there is no migration': {
      given: world(requesting('worker-1,worker-2'), launcher('a')),
      summary: says,
    },
    'its migration failed': {
      given: world(
        requesting('worker-1,worker-2'),
        migration('Failed'),
        launcher('a'),
        launcher('b', { status: { phase: 'Failed' } }),
      ),
      summary: says,
    },
    'its migration succeeded': {
      given: world(requesting('worker-1,worker-2'), migration('Succeeded')),
      summary: says,
    },
    'another machine migrates': {
      given: world(requesting('worker-1,worker-2'), migration('Running', 'vm-2')),
      summary: says,
    },
    'a machine of that name migrates elsewhere': {
      given: world(requesting('worker-1,worker-2'), migration('Running', 'vm', 'other')),
      summary: says,
    },
  },
});

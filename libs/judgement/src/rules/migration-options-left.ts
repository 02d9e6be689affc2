import { isAlive } from '../kube-ovn/pod-networks';
import { migrationsByMachine } from '../relations/migrations-by-machine';
import { podsByMachine } from '../relations/pods-by-machine';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { unclaimed, value } from '../rule-kit/facts';

const REQUESTED = 'requested-chassis';

/**
 * A machine's port that still requests two chassis, though no migration of the machine is under
 * way.
 *
 * Kube-OVN takes the options off when it sees the migration end; one that ended while the
 * controller was down and whose object is deleted, or of which the machine's status says otherwise,
 * leaves them (kube-ovn.md §3.1, §9, row 22). v1.13 skips an ended one whose state says completed,
 * and fails at one whose first launcher is gone. While two launchers live, a migration may be under
 * way without its object.
 */
export default defineRule({
  id: 'migration-options-left',
  class: 'drift',
  severity: 'warning',
  subject: 'Logical_Switch_Port',
  reads: ['VirtualMachineInstanceMigration', 'Pod'],
  about:
    'A port that asks for two chassis, as during a migration, though its machine has none in progress: traffic may be sent to a node without the machine. The end of the next migration removes the options, and so does, from v1.14 on, a restart of the controller while the ended migration object exists. Otherwise remove requested-chassis and activation-strategy by hand.',

  check(port, view) {
    const { options = {}, external_ids: ids = {} } = port.object;
    const requested = options[REQUESTED] ?? '';
    const machine = ids['pod'] ?? '';
    if (requested.split(',').filter(Boolean).length < 2 || machine === '') return healthy;
    if (ids['vendor'] !== 'kube-ovn' || view.has(migrationsByMachine, machine)) return healthy;
    const launchers: readonly Entity<'Pod'>[] = view.related(podsByMachine, machine);
    if (launchers.filter(isAlive).length > 1) return healthy;
    return violation({
      summary: `port ${port.name} asks for the chassis ${requested}, and no migration of machine ${machine} is under way`,
      owner: view.ownership(port),
      proof: [
        value(port, `options[${REQUESTED}]`, requested),
        value(port, 'external_ids[pod]', machine),
        unclaimed('VirtualMachineInstanceMigration', 'spec.vmiName, not ended', machine),
      ],
    });
  },
});

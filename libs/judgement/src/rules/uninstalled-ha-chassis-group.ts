import { leftByUninstall, UNINSTALL_KINDS } from '../rule-kit/left-by-uninstall';
import { defineRule } from '../rule-kit/rule';

/**
 * A group of gateway chassis that a Kube-OVN which was taken away left behind (kube-ovn.md §7.4).
 */
export default defineRule({
  id: 'uninstalled-ha-chassis-group',
  class: 'garbage',
  severity: 'info',
  subject: 'HA_Chassis_Group',
  reads: [...UNINSTALL_KINDS, 'Logical_Router_Port'],
  about:
    "A group of gateway chassis of Kube-OVN's in a cluster that has no Vpc, Subnet or controller of it any more.",
  remedy: 'delete-ha-chassis-group',
  check: (row, view) => leftByUninstall(row, view, 'delete-ha-chassis-group'),
});

import { leftByUninstall, UNINSTALL_KINDS } from '../world/left-by-uninstall';
import { defineRule } from './rule';

/** A port group that a Kube-OVN which was taken away left behind (kube-ovn.md §7.4). */
export default defineRule({
  id: 'uninstalled-port-group',
  class: 'garbage',
  severity: 'info',
  subject: 'Port_Group',
  reads: [...UNINSTALL_KINDS, 'ACL'],
  about: 'A port group of Kube-OVN\'s in a cluster that has no Vpc, Subnet or controller of it any more.',
  remedy: 'delete-port-group',
  check: (row, view) => leftByUninstall(row, view, 'delete-port-group'),
});

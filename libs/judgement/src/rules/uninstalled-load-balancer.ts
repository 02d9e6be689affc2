import { leftByUninstall, UNINSTALL_KINDS } from '../rule-kit/left-by-uninstall';
import { defineRule } from '../rule-kit/rule';

/** A load balancer that a Kube-OVN which was taken away left behind (kube-ovn.md §7.4). */
export default defineRule({
  id: 'uninstalled-load-balancer',
  class: 'garbage',
  severity: 'info',
  subject: 'Load_Balancer',
  reads: [...UNINSTALL_KINDS, 'Logical_Router', 'Logical_Switch'],
  about:
    "A load balancer of Kube-OVN's in a cluster that has no Vpc, Subnet or controller of it any more.",
  remedy: 'delete-load-balancer',
  check: (row, view) => leftByUninstall(row, view, 'delete-load-balancer'),
});

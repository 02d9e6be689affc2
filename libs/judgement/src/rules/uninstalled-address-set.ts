import { leftByUninstall, UNINSTALL_KINDS } from '../rule-kit/left-by-uninstall';
import { defineRule } from '../rule-kit/rule';

/** An address set that a Kube-OVN which was taken away left behind (kube-ovn.md §7.4). */
export default defineRule({
  id: 'uninstalled-address-set',
  class: 'garbage',
  severity: 'info',
  subject: 'Address_Set',
  reads: [...UNINSTALL_KINDS, 'ACL', 'Port_Group'],
  about:
    "An address set of Kube-OVN's in a cluster that has no Vpc, Subnet or controller of it any more.",
  remedy: 'delete-address-set',
  check: (row, view) => leftByUninstall(row, view, 'delete-address-set'),
});

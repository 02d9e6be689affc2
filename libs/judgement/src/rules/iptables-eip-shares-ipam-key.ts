import { sharedKey } from '../rule-kit/ipam-key';
import { defineRule, violation } from '../rule-kit/rule';

/**
 * An IptablesEIP with the name of a Vip of its subnet (kube-ovn.md §6.6, row 81); with that of an
 * OvnEip the finding is the OvnEip's.
 */
export default defineRule({
  id: 'iptables-eip-shares-ipam-key',
  class: 'drift',
  severity: 'warning',
  subject: 'IptablesEIP',
  reads: ['Vip'],
  about:
    "An IptablesEIP has the name of a Vip in the same subnet: when either is deleted, Kube-OVN gives the other's address to somebody else. Create one of them again under another name before anything is deleted. If one was deleted already, a restart of the controller takes an IPv4 address back, unless something else has it by now.",

  check(eip, view) {
    const found = sharedKey(eip, view.get('Vip', eip.name));
    return violation(...(found ? [found] : []));
  },
});

import { sharedKey } from '../rule-kit/ipam-key';
import { defineRule, violation } from '../rule-kit/rule';

/**
 * An OvnEip with the name of a Vip or an IptablesEIP of its subnet (kube-ovn.md §6.6, row 81; so in
 * all releases from v1.12).
 */
export default defineRule({
  id: 'ovn-eip-shares-ipam-key',
  class: 'drift',
  severity: 'warning',
  subject: 'OvnEip',
  reads: ['Vip', 'IptablesEIP'],
  about:
    "An OvnEip has the name of a Vip or IptablesEIP in the same subnet: when either is deleted, Kube-OVN gives the other's address to somebody else. Create one of them again under another name before anything is deleted. If one was deleted already, a restart of the controller takes an IPv4 address back, unless something else has it by now.",

  check(eip, view) {
    const found = [view.get('Vip', eip.name), view.get('IptablesEIP', eip.name)];
    return violation(...found.flatMap((it) => sharedKey(eip, it) ?? []));
  },
});

import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { addressGivenTwice } from '../rule-kit/address-given-twice';
import { defineRule } from '../rule-kit/rule';

/**
 * An IptablesEIP with the address of another IptablesEIP in its subnet (kube-ovn.md §6.6, row 81).
 */
export default defineRule({
  id: 'duplicate-iptables-eip-address',
  class: 'drift',
  severity: 'warning',
  subject: 'IptablesEIP',
  reads: [...HOLDER_KINDS],
  about:
    'An IptablesEIP has the address of another IptablesEIP in the same subnet: both answer for it, and deleting either frees it under the other. Create one of them again under another name and without that address; a restart of the controller gives neither another one.',
  check: (holder, view) => addressGivenTwice(holder, view),
});

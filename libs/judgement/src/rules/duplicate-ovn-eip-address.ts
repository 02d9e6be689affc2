import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { addressGivenTwice } from '../rule-kit/address-given-twice';
import { defineRule } from '../rule-kit/rule';

/**
 * An OvnEip with the address of another OvnEip or an IptablesEIP in its subnet (kube-ovn.md §6.6,
 * row 81).
 */
export default defineRule({
  id: 'duplicate-ovn-eip-address',
  class: 'drift',
  severity: 'warning',
  subject: 'OvnEip',
  reads: [...HOLDER_KINDS],
  about:
    'An OvnEip has the address of another OvnEip or an IptablesEIP in the same subnet: both answer for it, and deleting either frees it under the other. Create one of them again under another name and without that address; a restart of the controller gives neither another one.',
  check: (holder, view) => addressGivenTwice(holder, view),
});

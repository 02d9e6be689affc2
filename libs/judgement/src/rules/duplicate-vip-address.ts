import { HOLDER_KINDS } from '../kube-ovn/address-holders';
import { addressGivenTwice } from '../rule-kit/address-given-twice';
import { defineRule } from '../rule-kit/rule';

/**
 * A Vip with the address of another Vip, an OvnEip or an IptablesEIP in its subnet
 * (kube-ovn.md §6.6, row 81).
 */
export default defineRule({
  id: 'duplicate-vip-address',
  class: 'drift',
  severity: 'warning',
  subject: 'Vip',
  reads: [...HOLDER_KINDS],
  about:
    'A Vip has the address of another Vip, an OvnEip or an IptablesEIP in the same subnet: both answer for it, and deleting either frees it under the other. Create one of them again under another name and without that address; a restart of the controller gives neither another one.',
  check: (holder, view) => addressGivenTwice(holder, view),
});

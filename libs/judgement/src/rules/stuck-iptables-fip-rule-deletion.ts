import { GATEWAY_KINDS } from '../rule-kit/gateway-deletion';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { stuckIptablesRule } from '../rule-kit/iptables-rule-deletion';
import { defineRule } from '../rule-kit/rule';

/**
 * A floating IP of a NAT gateway that is being deleted and is still in the gateway's pod, or was
 * when that pod went (kube-ovn.md row 58).
 */
export default defineRule({
  id: 'stuck-iptables-fip-rule-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IptablesFIPRule',
  reads: [...GATEWAY_KINDS, 'IptablesEIP'],
  consults: [...CONTROLLER_KINDS],
  about:
    "A floating IP of a NAT gateway that does not finish its deletion: the gateway's pod, from which it must be removed, does not exist or does not run. Without that pod a restart does not help.",
  remedy: 'strip-finalizer',
  check: (rule, view) => stuckIptablesRule(rule, view),
});

import { iptablesNatRulesByEip } from '../relations/iptables-nat-rules-by-eip';
import { subnetsByNetwork } from '../relations/subnets-by-network';
import type { Blocker } from '../kube-ovn/deletion';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import { GATEWAY_KINDS, gatewayBlockers, gatewayIsGone } from '../rule-kit/gateway-deletion';
import { STAYS_TAKEN, withoutFinalizer } from '../rule-kit/last-finalizer';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import { defineRule } from '../rule-kit/rule';

/**
 * An external address of a NAT gateway that is being deleted: it waits for the rules that use it,
 * and for the gateway's pod, inside which the address must be removed (kube-ovn.md §6.6, row 58).
 */
export default defineRule({
  id: 'stuck-iptables-eip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IptablesEIP',
  reads: ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule', 'Subnet', ...GATEWAY_KINDS],
  consults: [...CONTROLLER_KINDS],
  about:
    "A NAT gateway's external address that does not finish its deletion: rules still use it, or the gateway's pod does not exist or run to release it.",
  remedy: 'strip-finalizer',

  check(eip, view) {
    const { natGwDp = '', externalSubnet = '' } = eip.object.spec ?? {};
    const rules = view.related(iptablesNatRulesByEip, eip.name);
    const blockers = (): readonly Blocker[] => [
      // v1.13 and v1.14 take it for the network that the Subnet is of, which may be called otherwise.
      ...(externalSubnet !== '' &&
      view.presence('Subnet', externalSubnet) === 'absent' &&
      !view.has(subnetsByNetwork, externalSubnet)
        ? [{ because: `its external Subnet ${externalSubnet} no longer exists` }]
        : []),
      ...gatewayBlockers(natGwDp, view, {
        namespace: eip.object.metadata.namespace,
        hasLimit: (eip.object.status?.qosPolicy ?? '') !== '',
      }),
      ...held('rules still use it', rules),
    ];
    return stuckDeletion(eip, view, blockers, () => {
      const gone = rules.length > 0 ? undefined : gatewayIsGone(natGwDp, view);
      return (
        gone &&
        withoutFinalizer(
          eip,
          view,
          gone,
          `it was in the gateway's pod, which is gone; ${STAYS_TAKEN}`,
        )
      );
    });
  },
});

import { addressesOfIptablesEip } from '../kube-ovn/external-addresses';
import { iptablesNatRulesByEip } from '../relations/iptables-nat-rules-by-eip';
import { isOlderRelease, type Release } from '../kube-ovn/release';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { controllerRelease } from '../rule-kit/controller-release';
import { externalSubnetBlockers } from '../rule-kit/external-subnet';
import { held } from '../kube-ovn/deletion';
import {
  GATEWAY_KINDS,
  gatewayBlockers,
  gatewayIsGone,
  type GatewayRuleKind,
  limitOutlivesGateway,
} from '../rule-kit/gateway-deletion';
import { STAYS_TAKEN, withoutFinalizer } from '../rule-kit/last-finalizer';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import type { View } from '../rule-kit/view';
import type { Entity } from '../world/entity';
import { defineRule } from '../rule-kit/rule';

/**
 * The first release whose deletion waits for the rules that use the address
 * (pkg/controller/vpc_nat_gw_eip.go, handleUpdateIptablesEip).
 */
const WAITS_FOR_RULES: Release = [1, 15, 0];

/**
 * An external address of a NAT gateway that is being deleted: it waits for what says where its
 * subnet is, for the rules that use it, and for the gateway's pod, inside which the address must be
 * removed (kube-ovn.md §6.6, row 58).
 */
export default defineRule({
  id: 'stuck-iptables-eip-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'IptablesEIP',
  reads: ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule', 'Subnet', ...GATEWAY_KINDS],
  consults: [...CONTROLLER_KINDS, 'NetworkAttachmentDefinition', 'QoSPolicy'],
  about:
    "A NAT gateway's external address that does not finish its deletion: its external Subnet or the NetworkAttachmentDefinition of that is gone, rules still use it, or the gateway's pod does not exist or run to release it.",
  remedy: 'strip-finalizer',

  check(eip, view) {
    const { natGwDp = '' } = eip.object.spec ?? {};
    const rules = usersOf(eip, view);
    return stuckDeletion(
      eip,
      view,
      () => {
        const release = controllerRelease(view);
        const waits = release === undefined || !isOlderRelease(release, WAITS_FOR_RULES);
        return [
          ...externalSubnetBlockers(eip, view),
          ...gatewayBlockers(natGwDp, view, {
            namespace: eip.object.metadata.namespace,
            hasLimit: isLimited(eip, view),
          }),
          ...(waits ? held('rules still use it', rules) : []),
        ];
      },
      () => {
        const gone = rules.length > 0 ? undefined : gatewayIsGone(natGwDp, view);
        return (
          gone &&
          withoutFinalizer(
            eip,
            view,
            gone,
            `it was in the gateway's pod, which is gone; ${STAYS_TAKEN}`,
            !(isLimited(eip, view) && limitOutlivesGateway(controllerRelease(view))),
          )
        );
      },
    );
  },
});

/** Whether a QoSPolicy limits its traffic; of one that is gone the controller takes no limit off. */
const isLimited = (
  { object: { status } }: Entity<'IptablesEIP'>,
  view: View<'QoSPolicy'>,
): boolean => !!status?.qosPolicy && view.presence('QoSPolicy', status.qosPolicy) !== 'absent';

/** The rules that name it, and those that have its address though they name another one. */
function usersOf(
  eip: Entity<'IptablesEIP'>,
  view: View<GatewayRuleKind>,
): readonly Entity<GatewayRuleKind>[] {
  const keys = [eip.name, ...addressesOfIptablesEip(eip).map((it) => `address ${it}`)];
  return [...new Set(keys.flatMap((it) => view.related(iptablesNatRulesByEip, it)))];
}

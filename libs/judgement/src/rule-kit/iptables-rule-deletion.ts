import type { Verdict } from './rule';
import type { ControllerKind } from './controller';
import type { Entity } from '../world/entity';
import { gatewayBlockers, gatewayIsGone, gatewayOf, type GATEWAY_KINDS } from './gateway-deletion';
import { withoutFinalizer } from './last-finalizer';
import { stuckDeletion } from './stuck-deletion';
import type { View } from './view';

type RuleKind = 'IptablesFIPRule' | 'IptablesSnatRule' | 'IptablesDnatRule';

/**
 * A rule of a NAT gateway that is being deleted: the controller takes it out of the gateway's pod
 * first (kube-ovn.md §6.6, row 58). It has nothing in OVN; it is certain to be removed only with
 * the gateway and all that ran it.
 */
export function stuckIptablesRule(
  rule: Entity<RuleKind>,
  view: View<(typeof GATEWAY_KINDS)[number] | 'IptablesEIP' | ControllerKind>,
): Verdict {
  const eip = view.get('IptablesEIP', rule.object.spec?.eip ?? '');
  const gateway = gatewayOf(rule) || (eip?.object.spec?.natGwDp ?? '');
  return stuckDeletion(
    rule,
    view,
    () => gatewayBlockers(gateway, view),
    () => {
      const gone = gatewayIsGone(gateway, view);
      return (
        gone && withoutFinalizer(rule, view, gone, "it was in the gateway's pod, which is gone")
      );
    },
  );
}

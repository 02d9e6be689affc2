import { isOlderRelease } from '../kube-ovn/release';
import type { Verdict } from './rule';
import type { ControllerKind } from './controller';
import { controllerRelease } from './controller-release';
import type { Entity } from '../world/entity';
import {
  CHECKS_GATEWAY_SINCE,
  gatewayBlockers,
  gatewayIsGone,
  gatewayOf,
  type GATEWAY_KINDS,
  type GatewayRuleKind,
} from './gateway-deletion';
import { withoutFinalizer } from './last-finalizer';
import { stuckDeletion } from './stuck-deletion';
import type { View } from './view';

type Consulted = View<(typeof GATEWAY_KINDS)[number] | 'IptablesEIP' | ControllerKind>;

/**
 * A rule of a NAT gateway that is being deleted: the controller takes it out of the gateway's pod
 * first (kube-ovn.md §6.6, row 58). It has nothing in OVN; it is certain to be removed only with
 * the gateway and all that ran it, and with the gateway of the address that it names now: the
 * controller writes a rule there before its status says so (pkg/controller/vpc_nat_gw_nat.go,
 * handleUpdateIptablesFip and its like).
 */
export function stuckIptablesRule(rule: Entity<GatewayRuleKind>, view: Consulted): Verdict {
  const eip = view.get('IptablesEIP', rule.object.spec?.eip ?? '');
  const ofAddress = eip?.object.spec?.natGwDp ?? '';
  const gateway = gatewayOf(rule) || ofAddress;
  const other = ofAddress === gateway ? '' : ofAddress;
  return stuckDeletion(
    rule,
    view,
    () => [
      ...gatewayBlockers(gateway, view),
      ...(asksBoth(rule, view) ? gatewayBlockers(other, view) : []),
    ],
    () => {
      const gone = gatewayIsGone(gateway, view);
      const otherGone = other === '' ? [] : gatewayIsGone(other, view);
      return (
        gone &&
        otherGone &&
        withoutFinalizer(
          rule,
          view,
          [...gone, ...otherGone],
          "it was in the gateway's pod, which is gone",
        )
      );
    },
  );
}

/** Whether the controller also asks the gateway of its address, as after a change not finished. */
function asksBoth({ object: { status } }: Entity<GatewayRuleKind>, view: Consulted): boolean {
  const release = controllerRelease(view);
  return (
    status?.ready !== true &&
    (status?.v4ip ?? '') !== '' &&
    release !== undefined &&
    !isOlderRelease(release, CHECKS_GATEWAY_SINCE)
  );
}

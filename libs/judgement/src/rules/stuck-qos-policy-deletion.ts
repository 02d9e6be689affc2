import { qosPolicyUsers } from '../relations/qos-policy-users';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import { defineRule } from '../rule-kit/rule';
import { unclaimed } from '../rule-kit/facts';

/**
 * A QoS policy that is being deleted and waits for the gateways and addresses it was given to; it
 * has nothing in OVN (kube-ovn.md §1).
 */
export default defineRule({
  id: 'stuck-qos-policy-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'QoSPolicy',
  reads: ['IptablesEIP', 'VpcNatGateway'],
  consults: [...CONTROLLER_KINDS],
  about:
    'A QoS policy that does not finish its deletion. It disappears when no NAT gateway and no external address of one uses it.',
  remedy: 'strip-finalizer',

  check(policy, view) {
    const users = view.related(qosPolicyUsers, policy.name);
    return stuckDeletion(
      policy,
      view,
      () => held('it is still used', users),
      () =>
        users.length > 0
          ? undefined
          : withoutFinalizer(
              policy,
              view,
              (['IptablesEIP', 'VpcNatGateway'] as const).map((it) =>
                unclaimed(it, 'spec.qosPolicy', policy.name),
              ),
              'it has nothing in OVN, and nobody uses it',
            ),
    );
  },
});

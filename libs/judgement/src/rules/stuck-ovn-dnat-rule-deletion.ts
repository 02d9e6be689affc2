import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { routerBlockers, vpcOfNatRule } from '../rule-kit/ovn-nat-deletion';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import { defineRule } from '../rule-kit/rule';
import { absentRow } from '../rule-kit/facts';

/**
 * A DNAT rule that is being deleted. All it has in OVN is the load balancer of its name: while that
 * is missing the controller fails to remove it, for ever, and nothing but the finalizer is left
 * (kube-ovn.md row 57).
 */
export default defineRule({
  id: 'stuck-ovn-dnat-rule-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'OvnDnatRule',
  reads: ['Vpc', 'Logical_Router', 'Load_Balancer'],
  consults: [...CONTROLLER_KINDS],
  about:
    'A DNAT rule that does not finish its deletion: its load balancer was deleted before, which the controller does not handle, or its VPC was deleted first.',
  remedy: 'strip-finalizer',

  check(rule, view) {
    const balancer = view.get('Load_Balancer', rule.name);
    const missing = balancer
      ? []
      : [
          {
            because: `there is no load balancer ${rule.name}, which the controller wants to remove`,
          },
        ];
    // Without the balancer it fails before it looks for the router.
    const stranded = balancer ? routerBlockers(vpcOfNatRule(rule), rule, view) : [];
    return stuckDeletion(
      rule,
      view,
      () => [
        ...stranded,
        ...missing,
        ...held('its load balancer has not been removed', balancer ? [balancer] : []),
      ],
      () => {
        if (balancer)
          return controllerIsGone(view)
            ? removingLeft(
                [balancer],
                view,
                controllerGone,
                'its OvnDnatRule is being deleted and no Kube-OVN controller is left to do it',
              )
            : undefined;
        return view.presence('Load_Balancer', rule.name) === 'absent'
          ? withoutFinalizer(
              rule,
              view,
              [absentRow('Load_Balancer', rule.name)],
              'without the load balancer nothing of it is left in OVN; look at its OvnEip afterwards',
              vpcOfNatRule(rule) === '',
            )
          : undefined;
      },
    );
  },
});

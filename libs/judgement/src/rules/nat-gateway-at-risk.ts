import { isBeingDeleted } from '../kube-ovn/deletion';
import { CONTROLLER_KINDS } from '../rule-kit/controller';
import { controllers, flagOf } from '../rule-kit/controller-flags';
import { absent, present, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';

/**
 * A NAT gateway whose Vpc does not exist.
 *
 * At each start the controller deletes it, in every release, unless `gc-interval` is 0; what runs
 * it, and with that the NAT rules in its pod, go next (kube-ovn.md §4.12). A Vpc that is only made
 * again in time keeps it.
 */
export default defineRule({
  id: 'nat-gateway-at-risk',
  class: 'drift',
  severity: 'warning',
  subject: 'VpcNatGateway',
  reads: ['Vpc', ...CONTROLLER_KINDS],
  about:
    "A VpcNatGateway that names a Vpc which does not exist. Kube-OVN's controller deletes the gateway when it starts the next time. To keep it, create the Vpc again before a restart, or restart the controller with `--gc-interval=0`.",

  check(gateway, view) {
    const vpc = gateway.object.spec?.vpc ?? '';
    if (vpc === '' || isBeingDeleted(gateway) || view.presence('Vpc', vpc) !== 'absent')
      return healthy;
    const found = controllers(view);
    if (found.length > 0 && found.every((it) => Number(flagOf(it, 'gc-interval')) === 0))
      return healthy;
    return violation({
      summary: `VpcNatGateway ${gateway.name} is of Vpc ${vpc}, which does not exist: the next start of the controller deletes it`,
      proof: [absent('Vpc', vpc), value(gateway, 'spec.vpc', vpc), present(gateway)],
    });
  },
});

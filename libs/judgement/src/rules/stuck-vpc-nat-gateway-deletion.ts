import { natGatewayParts } from '../relations/nat-gateway-parts';
import { GATEWAY_TABLES, rowsByGateway } from '../relations/rows-by-gateway';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import { defineRule } from '../rule-kit/rule';
import { unclaimed } from '../rule-kit/facts';

/**
 * A NAT gateway that is being deleted: the controller removes what runs it, and the policies and
 * BFD sessions of one with several replicas (kube-ovn.md §1).
 */
export default defineRule({
  id: 'stuck-vpc-nat-gateway-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'VpcNatGateway',
  reads: [...GATEWAY_TABLES, 'Pod', 'StatefulSet', 'Deployment'],
  consults: [...CONTROLLER_KINDS],
  about:
    'A NAT gateway that does not finish its deletion: its workload, its pod, or its rows in OVN have not been removed.',
  remedy: 'strip-finalizer',

  check(gateway, view) {
    const parts = view.related(natGatewayParts, gateway.name);
    const rows = view.related(rowsByGateway, `vpc-nat-gateway ${gateway.name}`);
    return stuckDeletion(
      gateway,
      view,
      () => [
        ...held('what runs it has not been removed', parts),
        ...held('its rows have not been removed', rows),
      ],
      () => {
        if (parts.length > 0) return undefined;
        if (rows.length > 0)
          return controllerIsGone(view)
            ? removingLeft(
                rows,
                view,
                controllerGone,
                'its VpcNatGateway is being deleted and no Kube-OVN controller is left to do it',
              )
            : undefined;
        return withoutFinalizer(
          gateway,
          view,
          [
            unclaimed('Pod', 'metadata.labels[app]', `vpc-nat-gw-${gateway.name}`),
            unclaimed('BFD', 'external_ids[vpc-nat-gateway]', gateway.name),
          ],
          'nothing of it runs, and nothing of it is left in OVN',
        );
      },
    );
  },
});

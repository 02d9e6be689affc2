import { GATEWAY_TABLES, rowsByGateway } from '../relations/rows-by-gateway';
import { CONTROLLER_KINDS, controllerGone, controllerIsGone } from '../rule-kit/controller';
import { held } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { keyOf } from '../world/entity';
import { withoutFinalizer } from '../rule-kit/last-finalizer';
import { removingLeft } from '../rule-kit/left-row';
import { routerBlockers } from '../rule-kit/ovn-nat-deletion';
import { stuckDeletion } from '../rule-kit/stuck-deletion';
import type { View } from '../rule-kit/view';
import { defineRule } from '../rule-kit/rule';
import { absent, absentRow, unclaimed } from '../rule-kit/facts';

/**
 * An egress gateway that is being deleted. When its VPC went first, the controller fails on the
 * router and leaves the rest (kube-ovn.md §7.3), also at each start (`cleanOVNForVpcEgressGateway`
 * in pkg/controller/vpc_egress_gateway.go, v1.14 to master).
 */
export default defineRule({
  id: 'stuck-vpc-egress-gateway-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'VpcEgressGateway',
  reads: ['Vpc', 'Logical_Router', ...GATEWAY_TABLES, 'Deployment'],
  consults: [...CONTROLLER_KINDS],
  about:
    'An egress gateway that does not finish its deletion: its VPC was deleted first, or its Deployment or its rows in OVN have not been removed.',
  remedy: 'strip-finalizer',

  check(gateway, view) {
    const vpc = gateway.object.spec?.vpc ?? '';
    const workload = deploymentOf(gateway, view);
    const rows = view.related(rowsByGateway, `vpc-egress-gateway ${keyOf(gateway)}`);
    const lost = routerBlockers(vpc, gateway, view);
    const stranded = lost.length > 0;
    return stuckDeletion(
      gateway,
      view,
      () => [
        ...lost,
        ...held('its Deployment has not been removed', workload ? [workload] : []),
        ...held('its rows have not been removed', rows),
      ],
      () => {
        if (workload) return undefined;
        const why = stranded
          ? [absent('Vpc', vpc), absentRow('Logical_Router', vpc)]
          : controllerGone;
        if (rows.length > 0)
          return stranded || controllerIsGone(view)
            ? removingLeft(
                rows,
                view,
                why,
                `VpcEgressGateway ${keyOf(gateway)} is being deleted and no controller can do it`,
              )
            : undefined;
        return withoutFinalizer(
          gateway,
          view,
          [
            unclaimed('Address_Set', 'external_ids[vpc-egress-gateway]', keyOf(gateway)),
            unclaimed('Deployment', 'metadata.name', gateway.name),
            ...(stranded ? why : []),
          ],
          'nothing of it runs, and nothing of it is left in OVN',
          !stranded,
        );
      },
    );
  },
});

/**
 * As its status calls it, else as the controller would: the prefix of its spec, and its own name.
 */
function deploymentOf(
  { name, namespace = '', object: { spec, status } }: Entity<'VpcEgressGateway'>,
  view: View<'Deployment'>,
): Entity<'Deployment'> | undefined {
  const names = [status?.workload?.name, `${spec?.prefix ?? ''}${name}`, name].filter(
    (it): it is string => it !== undefined && it !== '',
  );
  return [...new Set(names)]
    .map((it) => view.get('Deployment', `${namespace}/${it}`))
    .find((it) => it !== undefined);
}

import { neighbours, NEIGHBOUR_TABLES } from '../tallies/neighbours';
import { booleanOf, flagOf, isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, unknown, value, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';

const CALLED = {
  Logical_Switch: ['switch', 'switches'],
  Logical_Router: ['router', 'routers'],
  Load_Balancer: ['load balancer', 'load balancers'],
} as const;

/**
 * A Kube-OVN controller that shares its Northbound database and is not told to spare its neighbours.
 *
 * At each start it deletes the switches and routers that no Subnet and no Vpc stands for, with all that is in them, and their ports every `gc-interval`, unless
 * `enable-external-vpc` is on; and every load balancer it does not know, whatever is on (kube-ovn.md §4.3–§4.5, §4.17, rows 1, 2 and 6; #899, #1145, #4995). `gc-interval=0` ends both.
 */
export default defineRule({
  id: 'neighbours-at-risk',
  class: 'damage',
  severity: 'critical',
  subject: 'Deployment',
  reads: [...NEIGHBOUR_TABLES],
  about:
    "Kube-OVN's controller is set to delete what others have in the same Northbound database, at its next start at the latest. Start it with `--gc-interval=0`, or `--enable-external-vpc=true` where no load balancer is at stake.",

  check(deployment, view) {
    const [interval, spares, balances] = [
      flagOf(deployment, 'gc-interval'),
      flagOf(deployment, 'enable-external-vpc'),
      flagOf(deployment, 'enable-lb'),
    ];
    if (
      !isController(deployment) ||
      isBeingDeleted(deployment) ||
      (interval === undefined && spares === undefined)
    )
      return healthy;
    if (Number(interval) === 0) return healthy;
    const tables = NEIGHBOUR_TABLES.filter(
      (table) => (view.tallied(neighbours, table)?.size ?? 0) > 0,
    );
    const doomed = tables.filter(
      (table) =>
        booleanOf(table === 'Load_Balancer' ? balances : spares) === (table === 'Load_Balancer'),
    );
    if (doomed.length === 0)
      return tables.some((it) => it !== 'Load_Balancer') && booleanOf(spares) === undefined
        ? unknown(
            `Deployment ${deployment.namespace}/${deployment.name} does not say whether it spares what others have (enable-external-vpc), and its default depends on the release`,
          )
        : healthy;

    const counts = doomed.map((table) => {
      const by = [...view.tallied(neighbours, table)!].sort(([one], [other]) =>
        one < other ? -1 : 1,
      );
      return { table, by, total: by.reduce((sum, [, it]) => sum + it, 0) };
    });
    const text = counts.map(
      ({ table, by, total }) =>
        `${total} ${CALLED[table][total === 1 ? 0 : 1]} (${by.map(([owner, it]) => `${it} ${owner}`).join(', ')})`,
    );
    return violation({
      says: `Kube-OVN's controller ${deployment.namespace}/${deployment.name} collects what is not its own: ${text.join(', ')}`,
      proof: [
        value(
          deployment,
          'spec.template.spec.flags',
          (deployment.object.spec?.template?.spec?.flags ?? []).join(', '),
        ),
        ...counts.map(({ table, total }) =>
          value(deployment, `rows of others in ${table}`, String(total)),
        ),
      ],
    });
  },
});

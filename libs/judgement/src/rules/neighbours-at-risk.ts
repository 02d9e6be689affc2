import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import type { Entity } from '../world/entity';
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
 * `enable-external-vpc` is on, which is the default before v1.14.5; and every load balancer it does not know, whatever is on (kube-ovn.md §4.3–§4.5, §4.17, rows 1, 2 and 6; #899, #1145, #4995). `gc-interval=0` ends both.
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
    if (
      !isController(deployment) ||
      isBeingDeleted(deployment) ||
      hasNoEvidence(deployment) ||
      Number(flagOf(deployment, 'gc-interval')) === 0
    )
      return healthy;
    const spares = sparesOthers(deployment);
    const balances = booleanOf(flagOf(deployment, 'enable-lb') ?? 'true');
    const tables = NEIGHBOUR_TABLES.filter(
      (table) => (view.tallied(neighbours, table)?.size ?? 0) > 0,
    );
    const doomed = tables.filter(
      (table) => (table === 'Load_Balancer' ? balances : spares) === (table === 'Load_Balancer'),
    );
    if (doomed.length === 0)
      return tables.some((it) => it !== 'Load_Balancer') && spares === undefined
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
        value(deployment, 'spec.template.spec.release', releaseText(deployment)),
        ...counts.map(({ table, total }) =>
          value(deployment, `rows of others in ${table}`, String(total)),
        ),
      ],
    });
  },
});

/** The first release whose default is to delete what no Vpc stands for. */
const DELETES_BY_DEFAULT: Release = [1, 14, 5];

const releaseText = ({ object }: Entity<'Deployment'>): string =>
  object.spec?.template?.spec?.release ?? '';

/** Neither how it was started nor what it is: it may run with flags that are written elsewhere. */
const hasNoEvidence = (deployment: Entity<'Deployment'>): boolean =>
  releaseOf(deployment) === undefined &&
  flagOf(deployment, 'gc-interval') === undefined &&
  flagOf(deployment, 'enable-external-vpc') === undefined;

/** Whether `enable-external-vpc` is on: as it says, else by the default of its release; undefined where neither tells. */
function sparesOthers(deployment: Entity<'Deployment'>): boolean | undefined {
  const said = flagOf(deployment, 'enable-external-vpc');
  if (said !== undefined) return booleanOf(said);
  const release = releaseOf(deployment);
  return release && isOlderRelease(release, DELETES_BY_DEFAULT);
}

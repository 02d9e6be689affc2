import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import type { Entity } from '../world/entity';
import { keylessBalancers } from '../relations/keyless-balancers';
import { neighbours, NEIGHBOUR_TABLES } from '../tallies/neighbours';
import { booleanOf, flagOf, isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, unknown, value, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import type { View } from '../rule-kit/view';

const CALLED = {
  Logical_Switch: ['switch', 'switches'],
  Logical_Router: ['router', 'routers'],
  Load_Balancer: ['load balancer', 'load balancers'],
} as const;

/**
 * A Kube-OVN controller that shares its Northbound database and is not configured to spare its
 * neighbours.
 *
 * At each start it deletes the switches and routers that no Subnet and no Vpc stands for, with all
 * that is in them, and their ports every `gc-interval`, unless `enable-external-vpc` is on, which
 * is the default before v1.14.5; and every load balancer it does not know, whatever is on
 * (kube-ovn.md §4.3–§4.5, §4.17, rows 1, 2 and 6; #899, #1145, #4995). `gc-interval=0` ends both.
 * The balancer of an OvnDnatRule carries no key before v1.15; the collection spares it by its name
 * from v1.13.0 on, and before that really takes it.
 */
export default defineRule({
  id: 'neighbours-at-risk',
  class: 'damage',
  severity: 'critical',
  subject: 'Deployment',
  reads: [...NEIGHBOUR_TABLES],
  consults: ['OvnDnatRule'],
  about:
    "Kube-OVN's controller is configured to delete what others have in the same Northbound database, at its next start at the latest. Start it with `--gc-interval=0`, or `--enable-external-vpc=true` if no load balancer is at risk.",

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
    const named = sparedByName(deployment, view);
    const countsOf = (table: (typeof NEIGHBOUR_TABLES)[number]): [string, number][] =>
      [...(view.tallied(neighbours, table) ?? [])]
        .map(([owner, it]): [string, number] => [
          owner,
          table === 'Load_Balancer' && owner === 'unknown' ? it - named.spared - named.open : it,
        ])
        .filter(([, it]) => it > 0);
    const tables = NEIGHBOUR_TABLES.filter((table) => countsOf(table).length > 0);
    const doomed = tables.filter(
      (table) => (table === 'Load_Balancer' ? balances : spares) === (table === 'Load_Balancer'),
    );
    if (doomed.length === 0)
      return tables.some((it) => it !== 'Load_Balancer') && spares === undefined
        ? unknown(
            `Deployment ${deployment.namespace}/${deployment.name} does not say whether it spares what others have (enable-external-vpc), and its default depends on the release`,
          )
        : named.open > 0 && balances === true
          ? unknown(
              `not known whether Deployment ${deployment.namespace}/${deployment.name} spares load balancers that carry no key and are named like OvnDnatRules: v1.13.0 is the first release that does`,
            )
          : healthy;

    const counts = doomed.map((table) => {
      const by = countsOf(table).sort(([one], [other]) => (one < other ? -1 : 1));
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

/** The first release whose collection spares a balancer that is named like an OvnDnatRule. */
const SPARES_DNAT: Release = [1, 13, 0];

/**
 * How many load balancers without a key the collection spares for their name, and of how many that
 * is unknown.
 */
function sparedByName(
  deployment: Entity<'Deployment'>,
  view: View<'Load_Balancer' | 'OvnDnatRule'>,
): { readonly spared: number; readonly open: number } {
  const release = releaseOf(deployment);
  if (release && isOlderRelease(release, SPARES_DNAT)) return { spared: 0, open: 0 };
  const asked = view
    .related(keylessBalancers, 'keyless')
    .map((it) => view.presence('OvnDnatRule', it.name))
    .filter((it) => it !== 'absent');
  const spared = release ? asked.filter((it) => it === 'present').length : 0;
  return { spared, open: asked.length - spared };
}

const releaseText = ({ object }: Entity<'Deployment'>): string =>
  object.spec?.template?.spec?.release ?? '';

/** Neither how it was started nor what it is: it may run with flags that are written elsewhere. */
const hasNoEvidence = (deployment: Entity<'Deployment'>): boolean =>
  releaseOf(deployment) === undefined &&
  flagOf(deployment, 'gc-interval') === undefined &&
  flagOf(deployment, 'enable-external-vpc') === undefined;

/**
 * Whether `enable-external-vpc` is on: as it says, else by the default of its release; undefined
 * where neither is known.
 */
function sparesOthers(deployment: Entity<'Deployment'>): boolean | undefined {
  const said = flagOf(deployment, 'enable-external-vpc');
  if (said !== undefined) return booleanOf(said);
  const release = releaseOf(deployment);
  return release && isOlderRelease(release, DELETES_BY_DEFAULT);
}

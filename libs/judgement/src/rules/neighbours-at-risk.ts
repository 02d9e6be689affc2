import { ascendingBy } from '@ovn-steward/shared/compare';
import { isOlderRelease, type Release, releaseOf } from '../kube-ovn/release';
import type { Entity } from '../world/entity';
import { damagedRows } from '../relations/damaged-rows';
import { neighbours, NEIGHBOUR_TABLES } from '../tallies/neighbours';
import {
  COLLECTED_KINDS,
  COLLECTED_TABLES,
  markedAsGroups,
  collectedPolicies,
  collectedRoutes,
} from '../rule-kit/collected-rows';
import { booleanOf, flagOf, isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, unknown, type Violation, violation } from '../rule-kit/rule';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { sparedBalancers } from '../rule-kit/spared-balancers';
import type { View } from '../rule-kit/view';
import { value } from '../rule-kit/facts';

const CALLED = {
  Logical_Switch: ['switch', 'switches'],
  Logical_Switch_Port: ['switch port', 'switch ports'],
  Logical_Router: ['router', 'routers'],
  Logical_Router_Port: ['router port', 'router ports'],
  Load_Balancer: ['load balancer', 'load balancers'],
  Port_Group: ['port group', 'port groups'],
  Marked_Group: ['port group', 'port groups'],
  Address_Set: ['address set', 'address sets'],
  Logical_Router_Static_Route: ['static route', 'static routes'],
  Logical_Router_Policy: ['router policy', 'router policies'],
} as const;
type Table = keyof typeof CALLED;

/**
 * A Kube-OVN controller that shares its Northbound database and is not configured to spare its
 * neighbours.
 *
 * At each start it deletes the switches and routers that no Subnet and no Vpc stands for, with all
 * that is in them, and their ports every `gc-interval`, unless `enable-external-vpc` is on, which
 * is the default before v1.14.5; and every load balancer it does not know, whatever is on
 * (kube-ovn.md §4.3–§4.5, §4.17, rows 1, 2 and 6; #899, #1145, #4995). v1.13 and v1.14 take every
 * port group that no policy and no SecurityGroup stands for, and releases before v1.15 router ports
 * with a peer, of any owner (gcSecurityGroup, gcLogicalRouterPort); every release takes static
 * routes for addresses in use, and router policies of priority 29250. `gc-interval=0` ends all of
 * it. The balancer of an OvnDnatRule carries no key before v1.15; the collection spares it by its
 * name from v1.13.0 on, and before that really takes it. One without an entry is nobody's loss.
 */
export default defineRule({
  id: 'neighbours-at-risk',
  class: 'damage',
  severity: 'critical',
  subject: 'Deployment',
  reads: [...NEIGHBOUR_TABLES, ...COLLECTED_TABLES, 'Former_Row'],
  consults: ['OvnDnatRule', ...COLLECTED_KINDS],
  about:
    "Kube-OVN's controller is configured to delete what others have in the same Northbound database, at its next start at the latest. Start it with `--gc-interval=0`, or `--enable-external-vpc=true` if nothing but switches, routers and their ports is at risk.",

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
    const keyless = sparedBalancers(deployment, view);
    const collects = collectedBy(deployment, { spares, balances });
    const countsOf = (table: Table): Counted => ({
      table,
      by: [...counted(table, deployment, view)]
        .map(([owner, count]): [string, number] => [
          owner,
          table === 'Load_Balancer' && owner === 'unknown'
            ? count - keyless.spared - keyless.open
            : count,
        ])
        .filter(([, it]) => it > 0)
        .sort(ascendingBy(([key]) => key)),
    });
    const found = GROUPS.flatMap(({ key, tables }) => {
      const counts = tables
        .filter(collects)
        .map(countsOf)
        .filter((it) => it.by.length > 0);
      const lost = key === undefined ? lostOf(collects, view) : 0;
      return counts.length + lost === 0 ? [] : [collecting(deployment, counts, lost, key)];
    });
    if (found.length > 0) return violation(...found);
    if (spares === undefined && SPARED_BY_FLAG.some((it) => countsOf(it).by.length > 0))
      return unknown(
        `Deployment ${deployment.namespace}/${deployment.name} does not say whether it spares what others have (enable-external-vpc), and its default depends on the release`,
      );
    return keyless.open > 0 && balances === true
      ? unknown(
          `not known whether Deployment ${deployment.namespace}/${deployment.name} takes load balancers of others: ${keyless.open} without a key may be OvnDnatRules', which v1.13.0 is the first release to spare`,
        )
      : healthy;
  },
});

/**
 * Rows that it collects and that were taken: that its victims are gone does not end what it does to
 * others. They count until they are back (`neighbour-damaged`). Of what it takes only by an address
 * or a priority, such as static routes, nothing shows afterwards whether it would have: their owner
 * may have removed them beside the damage.
 */
function lostOf(collects: (table: Table) => boolean, view: View<'Former_Row'>): number {
  const isCollected = (table: string): boolean =>
    NEIGHBOUR_TABLES.some((it) => it === table) && collects(table as Table);
  return view
    .related(damagedRows, 'damaged')
    .flatMap(({ object: { table, row, parts } }) => [
      ...(row ? [table] : []),
      ...parts.filter((it) => it.gone).map((it) => it.table),
    ])
    .filter(isCollected).length;
}

interface Counted {
  readonly table: Table;
  /** By owner. */
  readonly by: readonly (readonly [string, number])[];
}

/**
 * Findings by what they rest on: most on the database alone, those with a key on objects, too, that
 * may be unknown.
 */
const GROUPS: readonly { readonly key?: string; readonly tables: readonly Table[] }[] = [
  { tables: NEIGHBOUR_TABLES },
  { key: 'sg', tables: ['Marked_Group', 'Address_Set'] },
  { key: 'static_routes', tables: ['Logical_Router_Static_Route'] },
  { key: 'policies', tables: ['Logical_Router_Policy'] },
];

function collecting(
  deployment: Entity<'Deployment'>,
  found: readonly Counted[],
  lost: number,
  key: string | undefined,
): Violation {
  const counts = found.map((it) => ({ ...it, total: it.by.reduce((sum, [, of]) => sum + of, 0) }));
  const text = [
    ...counts.map(
      ({ table, by, total }) =>
        `${total} ${CALLED[table][total === 1 ? 0 : 1]} (${by.map(([owner, it]) => `${it} ${owner}`).join(', ')})`,
    ),
    ...(lost === 0 ? [] : [`${lost} ${lost === 1 ? 'row that is' : 'rows that are'} gone by now`]),
  ];
  return {
    summary: `Kube-OVN's controller ${deployment.namespace}/${deployment.name} collects what is not its own: ${text.join(', ')}`,
    ...(key !== undefined && { part: { column: 'rows of others', key } }),
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
      ...(lost === 0 ? [] : [value(deployment, 'damaged rows of others', String(lost))]),
    ],
  };
}

/** What `enable-external-vpc` spares. */
const SPARED_BY_FLAG: readonly Table[] = [
  'Logical_Switch',
  'Logical_Switch_Port',
  'Logical_Router',
];

/** The first release that takes every port group that it does not know. */
const TAKES_GROUPS: Release = [1, 13, 0];
/** The first release that takes only port groups and router ports of its own. */
const KEEPS_OTHERS: Release = [1, 15, 0];

/** What every release takes, whatever its flags are. */
const ALWAYS: ReadonlySet<Table> = new Set([
  'Logical_Router_Static_Route',
  'Logical_Router_Policy',
]);

/** Whether it takes rows of others out of a table; false where that is not known. */
function collectedBy(
  deployment: Entity<'Deployment'>,
  { spares, balances }: Record<'spares' | 'balances', boolean | undefined>,
): (table: Table) => boolean {
  const release = releaseOf(deployment);
  const isOld = release !== undefined && isOlderRelease(release, KEEPS_OTHERS);
  return (table) => {
    if (SPARED_BY_FLAG.includes(table)) return spares === false;
    if (table === 'Load_Balancer') return balances === true;
    if (ALWAYS.has(table)) return true;
    if (table === 'Logical_Router_Port') return isOld;
    return isOld && !isOlderRelease(release, TAKES_GROUPS);
  };
}

/** Rows of others in a table, by owner. */
function counted(
  table: Table,
  deployment: Entity<'Deployment'>,
  view: View<(typeof NEIGHBOUR_TABLES | typeof COLLECTED_TABLES | typeof COLLECTED_KINDS)[number]>,
): ReadonlyMap<string, number> {
  if (table === 'Logical_Router_Static_Route') return collectedRoutes(deployment, view);
  if (table === 'Logical_Router_Policy') return collectedPolicies(deployment, view);
  if (table === 'Address_Set') return markedAsGroups(table, view);
  if (table === 'Marked_Group') return markedAsGroups('Port_Group', view);
  return view.tallied(neighbours, table) ?? new Map<string, number>();
}

/** The first release whose default is to delete what no Vpc stands for. */
const DELETES_BY_DEFAULT: Release = [1, 14, 5];

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
  const flag = flagOf(deployment, 'enable-external-vpc');
  if (flag !== undefined) return booleanOf(flag);
  const release = releaseOf(deployment);
  return release && isOlderRelease(release, DELETES_BY_DEFAULT);
}

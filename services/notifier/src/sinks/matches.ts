import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { NotifiedState } from '@ovn-steward/contracts/notifications/actions-notification';
import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';

const ORDER = ['info', 'warning', 'critical'];

/** A severity of a later version counts as the worst: nobody is left unaware of it. */
export const rankOf = (severity: string): number => {
  const rank = ORDER.indexOf(severity);
  return rank === -1 ? ORDER.length : rank;
};

/** Whether a sink is sent a finding: any of its routes names it, or it has no routes. */
export function matches(finding: Finding, routes: SinkSettings['routes']): boolean {
  return routes.length === 0 || routes.some((route) => takes(route, finding));
}

type Route = SinkSettings['routes'][number];

const takes = (
  route: Route,
  { cluster, rule, class: findingClass, severity, scope, subject }: Finding,
): boolean =>
  route.states === undefined &&
  names(route.clusters, cluster) &&
  names(route.classes, findingClass) &&
  names(route.rules, rule) &&
  names(route.vpcs, scope?.vpc) &&
  names(route.subnets, scope?.subnet) &&
  names(route.namespaces, subject.namespace) &&
  reaches(route, severity);

/**
 * The same for an action, which has the class of its rule; of a rule of a later version the class
 * is not known.
 */
export const matchesAction = (
  action: Pick<ActionRecord, 'cluster' | 'rule' | 'scope' | 'target'>,
  {
    state,
    findingClass,
  }: { readonly state: NotifiedState; readonly findingClass: string | undefined },
  routes: SinkSettings['routes'],
): boolean =>
  routes.length === 0 ||
  routes.some(
    (route) =>
      (route.states === undefined || route.states.includes(state)) &&
      names(route.clusters, action.cluster) &&
      names(route.classes, findingClass) &&
      names(route.rules, action.rule) &&
      names(route.vpcs, action.scope.vpc) &&
      names(route.subnets, action.scope.subnet) &&
      names(route.namespaces, action.target.namespace) &&
      reaches(route, severityOf(state)),
  );

/** An action that failed waits for a person; all else is information. */
export const severityOf = (state: NotifiedState): 'info' | 'warning' =>
  state === 'failed' ? 'warning' : 'info';

const names = (wanted: readonly string[] | undefined, value: string | null | undefined): boolean =>
  wanted === undefined || (value !== undefined && value !== null && wanted.includes(value));

const reaches = (route: Route, severity: string): boolean =>
  rankOf(severity) >= rankOf(route.severity ?? 'info');

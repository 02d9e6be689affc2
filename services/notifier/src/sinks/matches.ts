import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';

const ORDER = ['info', 'warning', 'critical'];

/** A severity of a later version counts as the worst: nobody is left unaware of it. */
export const rankOf = (severity: string): number => {
  const rank = ORDER.indexOf(severity);
  return rank === -1 ? ORDER.length : rank;
};

/** Whether a sink is told of a finding: any of its routes names it, or it has no routes. */
export function matches(finding: Finding, routes: SinkSettings['routes']): boolean {
  return routes.length === 0 || routes.some((route) => takes(route, finding));
}

type Route = SinkSettings['routes'][number];

function takes(
  route: Route,
  { cluster, rule, class: sort, severity, scope, subject }: Finding,
): boolean {
  const named: readonly (readonly [readonly string[] | undefined, string | undefined])[] = [
    [route.clusters, cluster],
    [route.classes, sort],
    [route.rules, rule],
    [route.vpcs, scope?.vpc],
    [route.subnets, scope?.subnet],
    [route.namespaces, subject.namespace],
  ];
  return (
    named.every(
      ([names, value]) => names === undefined || (value !== undefined && names.includes(value)),
    ) && rankOf(severity) >= rankOf(route.severity ?? 'info')
  );
}

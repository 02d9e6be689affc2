import { type Cluster, keyIn, ROUTER } from '../cluster';
import { ofRouter, policiesLike, routeText, staticRoutes } from '../kube-ovn/router-rows';
import { routesOf, type StaticRoute } from '../kube-ovn/vpc-spec';
import type { Ill } from './ill';

/** What is wrong with the routes of the default VPC. */
export function* routeIlls(cluster: Cluster): Generator<Ill> {
  const vpc = cluster.objects.get('Vpc', undefined, ROUTER);
  if (!vpc) return;
  const { staticRoutes: wanted = [], policyRoutes = [] } = routesOf(cluster);
  const { uid } = vpc.metadata;
  const there = [...staticRoutes(cluster)];
  const texts = new Set(there.map(({ route }) => routeText(route)));
  for (const route of wanted) {
    const rivals = wanted.filter((other) => prefixOf(other) === prefixOf(route));
    const what = `${routeText(route)} is asked for`;
    if (rivals.length > 1 || route.cidr === '0.0.0.0/0')
      yield { rule: 'static-routes-replace-each-other', uid, what, expected: 'must' };
    else if (!texts.has(routeText(route)))
      yield { rule: 'vpc-static-route-missing', uid, what, expected: 'must' };
  }
  for (const policy of policyRoutes)
    if (policiesLike(cluster, policy).length === 0)
      yield {
        rule: 'vpc-policy-route-missing',
        uid,
        what: `${policy.match} is missing`,
        expected: 'must',
      };
  yield* leftPolicies(cluster);
  for (const { uid: row, isTagged, route } of there)
    if (!isTagged && leadsNowhere(route) && !wanted.some((it) => it.cidr === route.cidr))
      yield { rule: 'stale-static-route', uid: row, what: routeText(route), expected: 'must' };
}

const prefixOf = (it: StaticRoute): string => `${it.routeTable} ${it.policy} ${it.cidr}`;

/** Those of a spec that was, and is not any more. */
function* leftPolicies(cluster: Cluster): Generator<Ill> {
  const { policyRoutes = [] } = routesOf(cluster);
  for (const uid of ofRouter(cluster, 'policies')) {
    const row = cluster.rows('Logical_Router_Policy').get(uid)!;
    const isOfSpec = cluster.labels.get(uid)?.name.startsWith('policy route ') === true;
    const isAsked = policyRoutes.some(
      (it) => it.priority === row['priority'] && it.match === row['match'],
    );
    if (isOfSpec && !isAsked && keyIn(row['external_ids'], 'subnet') === undefined)
      yield { rule: 'stale-policy-route', uid, what: String(row['match']), expected: 'must' };
  }
}

/** By a next hop that is in none of the networks there are; 10.16 to 10.20 and the join network. */
const leadsNowhere = ({ nextHopIP }: StaticRoute): boolean =>
  !/^(10\.(1[6-9]|20)|100\.64)\.0\./.test(nextHopIP);

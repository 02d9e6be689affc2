import { type Cluster, ROUTER } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import {
  dropFromRouter,
  policiesLike,
  putPolicy,
  putStaticRoute,
  routeText,
  staticRoutes,
} from './router-rows';
import { type PolicyRoute, routesOf, type StaticRoute, type VpcRoutes } from './vpc-spec';

/** Kube-OVN adds it itself, by the gateway of the join network. */
const DEFAULT_ROUTE: StaticRoute = {
  policy: 'policyDst',
  cidr: '0.0.0.0/0',
  nextHopIP: '100.64.0.1',
  routeTable: '',
};

/** Since v1.15 its routes have its tag. */
const tagsRoutes = ({ release }: Cluster): boolean => release.tagsAll;

const policyText = (it: PolicyRoute): string =>
  `${it.priority} ${it.match} ${it.action} ${it.nextHopIP}`;

/**
 * Static routes are compared with the router's, before v1.15 with everybody's; policies only with
 * what the spec was before its last change (pkg/controller/vpc.go, handleAddOrUpdateVpc).
 */
function* reconcile({ cluster, memory }: Controller): Job {
  const { staticRoutes: wanted = [], policyRoutes = [] } = routesOf(cluster);
  const target = [...wanted, DEFAULT_ROUTE];
  const texts = new Set(target.map(routeText));
  const there = [...staticRoutes(cluster)].filter((it) => it.isTagged || !tagsRoutes(cluster));
  const known = new Set(there.map(({ route }) => routeText(route)));
  for (const { uid, route } of there)
    if (!texts.has(routeText(route))) {
      dropFromRouter(cluster, 'static_routes', uid);
      yield;
    }
  for (const route of target)
    if (!known.has(routeText(route))) {
      putStaticRoute(cluster, route, tagsRoutes(cluster));
      yield;
    }
  const before = (memory.get('policies before') ?? []) as readonly PolicyRoute[];
  const asked = new Set(policyRoutes.map(policyText));
  for (const policy of before)
    if (!asked.has(policyText(policy)))
      for (const uid of policiesLike(cluster, policy)) {
        dropFromRouter(cluster, 'policies', uid);
        yield;
      }
  const had = new Set(before.map(policyText));
  for (const policy of policyRoutes)
    if (!had.has(policyText(policy))) {
      putPolicy(cluster, policy);
      yield;
    }
}

/** Changes of the default Vpc's spec; the former one is noted when a change is heard of. */
export const vpcRoutes: Handler = (controller, event) => {
  if (event.is !== 'now' || event.object.metadata.name !== ROUTER) return;
  const { memory } = controller;
  const before = memory.get('vpc spec') as VpcRoutes | undefined;
  const spec = event.object['spec'] as VpcRoutes;
  memory.set('vpc spec', spec);
  if (before !== undefined) {
    if (JSON.stringify(before) === JSON.stringify(spec)) return;
    memory.set('policies before', before.policyRoutes ?? []);
  }
  controller.enqueueOnce('vpc routes', () => reconcile(controller));
};

import { type Cluster, ROUTER } from '../cluster';

export interface PolicyRoute {
  readonly priority: number;
  readonly match: string;
  readonly action: string;
  readonly nextHopIP: string;
}
export interface StaticRoute {
  readonly policy: 'policyDst' | 'policySrc';
  readonly cidr: string;
  readonly nextHopIP: string;
  readonly routeTable: string;
}
export interface VpcRoutes {
  readonly policyRoutes?: readonly PolicyRoute[];
  readonly staticRoutes?: readonly StaticRoute[];
}

/** What the spec of the default Vpc asks for. */
export const routesOf = (cluster: Cluster): VpcRoutes =>
  (cluster.objects.get('Vpc', undefined, ROUTER)?.['spec'] ?? {}) as VpcRoutes;

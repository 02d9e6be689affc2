import { SetMetadata } from '@nestjs/common';

const ROUTE_ACCESS = 'steward:route-access';
const FILTERS_BY_CLUSTER = 'steward:filters-by-cluster';

/**
 * `open`: anybody. `read`: those who may read, which is the default. `decide`: those who prove
 * their identity; the handler checks the right, which the body names.
 */
export type RouteAccess = 'open' | 'read' | 'decide';

/** Who may have a route answered, where a login is needed at all. */
export const AllowedTo = (access: RouteAccess): MethodDecorator & ClassDecorator =>
  SetMetadata(ROUTE_ACCESS, access);

/** What `AllowedTo` sets on a handler, or else on its controller; `read` where it sets nothing. */
export const routeAccessOf = (handler: object, controller: object): RouteAccess =>
  (Reflect.getMetadata(ROUTE_ACCESS, handler) as RouteAccess | undefined) ??
  (Reflect.getMetadata(ROUTE_ACCESS, controller) as RouteAccess | undefined) ??
  'read';

/**
 * A route that answers with objects of the cluster its query names, and of no other: the right to
 * read that one is enough.
 */
export const FiltersByCluster = (): MethodDecorator => SetMetadata(FILTERS_BY_CLUSTER, true);

/** Whether `FiltersByCluster` was said of a handler. */
export const filtersByCluster = (handler: object): boolean =>
  Reflect.getMetadata(FILTERS_BY_CLUSTER, handler) === true;

import { defineRelation } from '../world/relation';

/**
 * Of Kube-OVN's policies for pods with a north gateway, in every release
 * (`NorthGatewayRoutePolicyPriority`).
 */
export const NORTH_GATEWAY_PRIORITY = 29_250;

/**
 * Router policies of others at the priority of Kube-OVN's north gateways, with one comparison in
 * their match: its collection passes over all others (gc.go, `gcRoutePolicy`).
 */
export const gatewayPolicies = defineRelation({
  id: 'gateway-policies',
  kinds: ['Logical_Router_Policy'],
  keys: ({ object }) =>
    object['priority'] === NORTH_GATEWAY_PRIORITY &&
    object.external_ids?.['vendor'] !== 'kube-ovn' &&
    sourceOf(object['match']) !== undefined
      ? ['north gateway']
      : [],
});

/**
 * What the collection takes for the source of a policy: what stands after the one `==`; undefined
 * where there is none, or several.
 */
export function sourceOf(match: unknown): string | undefined {
  const [, source, ...more] = String(match).split('==');
  return more.length === 0 ? source?.trim() : undefined;
}

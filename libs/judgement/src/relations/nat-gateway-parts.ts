import { defineRelation } from '../world/relation';

const PREFIX = 'vpc-nat-gw-';

/**
 * What a VpcNatGateway runs as, by the gateway's name: a StatefulSet or Deployment and its pods (kube-ovn.md §1). A pod's name does not say where
 * the gateway's ends, so it is found under every name it may mean: more is then kept, never less.
 */
export const natGatewayParts = defineRelation({
  id: 'nat-gateway-parts',
  kinds: ['Pod', 'StatefulSet', 'Deployment'],
  keys: ({ name, object: { metadata } }) => [...gatewaysOf(name), ...gatewaysOf(metadata.labels?.['app'] ?? '')],
});

function gatewaysOf(name: string): string[] {
  if (!name.startsWith(PREFIX)) return [];
  const rest = name.slice(PREFIX.length);
  return [...rest.matchAll(/-/g)].map((it) => rest.slice(0, it.index)).filter((it) => it !== '').concat(rest);
}

import { defineRelation } from '../world/relation';

/** The keys by which Kube-OVN marks rows of a gateway (kube-ovn.md §1). */
export const GATEWAY_KEYS = ['vpc-egress-gateway', 'vpc-nat-gateway'] as const;

/** Tables that have such rows. */
export const GATEWAY_TABLES = [
  'Port_Group',
  'Address_Set',
  'Logical_Router_Policy',
  'Logical_Router_Static_Route',
  'BFD',
  'HA_Chassis_Group',
] as const;

/**
 * Rows that carry the key of a gateway, by `<key> <value>`: groups, sets, policies, routes and
 * sessions.
 */
export const rowsByGateway = defineRelation({
  id: 'rows-by-gateway',
  kinds: GATEWAY_TABLES,
  keys: ({ object }) => {
    const ids: Readonly<Record<string, string>> = object.external_ids ?? {};
    return GATEWAY_KEYS.flatMap((key) => (Object.hasOwn(ids, key) ? [`${key} ${ids[key]}`] : []));
  },
});

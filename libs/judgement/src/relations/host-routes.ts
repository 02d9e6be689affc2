import { tryParseIp } from '@ovn-steward/shared/address';
import { defineRelation } from '../world/relation';

/**
 * Static routes for one address that are not tagged as Kube-OVN's, which makes none for one
 * address.
 */
export const hostRoutes = defineRelation({
  id: 'host-routes',
  kinds: ['Logical_Router_Static_Route'],
  keys: ({ object }) => {
    const prefix = object['ip_prefix'];
    const isOthers = object.external_ids?.['vendor'] !== 'kube-ovn';
    return isOthers && typeof prefix === 'string' && tryParseIp(prefix) ? ['host'] : [];
  },
});

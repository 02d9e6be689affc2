import { blockText } from '../kube-ovn/cidr';
import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/**
 * Static routes by destination, by `<uuid of the router> <prefix> <next hop> <route table>`, the
 * prefix in one spelling. Those by source are not among them.
 */
export const staticRoutesByHop = defineRelation({
  id: 'static-routes-by-hop',
  kinds: ['Logical_Router_Static_Route'],
  keys: ({ object, ...route }) =>
    object['policy'] === 'src-ip'
      ? []
      : parentsOf({ ...route, object }).map(({ uid }) =>
          hopKey(uid, {
            prefix: String(object['ip_prefix'] ?? ''),
            hop: String(object['nexthop'] ?? ''),
            table: String(object['route_table'] ?? ''),
          }),
        ),
});

/** The key of a route of that router. */
export const hopKey = (
  router: string,
  { prefix, hop, table }: { readonly prefix: string; readonly hop: string; readonly table: string },
): string => `${router} ${blockText(prefix)} ${blockText(hop)} ${table}`;

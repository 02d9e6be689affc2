import { blockText } from '../kube-ovn/cidr';
import { parentsOf } from '../world/ovn-rows';
import { defineRelation } from '../world/relation';

/** Router ports by `<uuid of the router> <network>`, in one spelling: what the router reaches. */
export const routerPortsByNetwork = defineRelation({
  id: 'router-ports-by-network',
  kinds: ['Logical_Router_Port'],
  keys: (port) =>
    parentsOf(port).flatMap(({ uid }) =>
      (port.object.networks ?? []).map((it) => `${uid} ${blockText(it)}`),
    ),
});

import { monitoredGateway, SESSION_KINDS, uses } from '../rule-kit/gateway-sessions';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unreferenced, value } from '../rule-kit/facts';
import { keyOf } from '../world/entity';

/**
 * A BFD session of a living gateway that none of the gateway's policies uses.
 *
 * Kube-OVN makes the session and names it in every policy of the gateway in one go, in all releases
 * that have such gateways, and deletes what it does not name any more
 * (pkg/controller/vpc_egress_gateway.go, kube-ovn.md §5, row 71). ovn-northd sets a session that
 * nothing uses to `admin_down`. Sessions of external gateways have no key and may stand unused:
 * Kube-OVN makes one to the physical gateway of each Vpc with `enableBfd` and no route for it.
 */
export default defineRule({
  id: 'bfd-session-unused',
  class: 'drift',
  severity: 'warning',
  subject: 'BFD',
  reads: [...SESSION_KINDS],
  about:
    "A BFD session of a gateway that none of the gateway's router policies uses: whether that peer is alive is not monitored, so its traffic does not move to another when it dies. Any change of the gateway's object, such as an annotation, sets the policies again, and so does a restart of the controller.",

  check(session, view) {
    const monitored = monitoredGateway(session, view);
    if (!monitored || monitored.policies.length === 0) return healthy;
    const { gateway, policies } = monitored;
    if (policies.some((it) => uses(it, session)) || view.referrers(session).length > 0)
      return healthy;
    return violation({
      summary: `no router policy of ${gateway.kind} ${keyOf(gateway)} uses its BFD session to ${String(session.object['dst_ip'])} on ${String(session.object['logical_port'])}`,
      owner: view.ownership(session),
      concerns: [gateway, ...policies],
      proof: [
        present(gateway),
        value(gateway, 'status.ready', 'true'),
        unreferenced(session),
        present(session),
      ],
    });
  },
});

import { formatIp, tryParseIp } from '@ovn-steward/shared/address';
import { sessionsUp } from '../relations/sessions-up';
import { type Gateway, monitoredGateway, SESSION_KINDS, uses } from '../rule-kit/gateway-sessions';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import type { View } from '../rule-kit/view';
import { present, value } from '../rule-kit/facts';
import { type Entity, keyOf } from '../world/entity';

/**
 * What ovn-northd writes of a session that does not pass traffic on; `init` is on its way up (RFC
 * 5880 section 6.2).
 */
const DOWN: ReadonlySet<unknown> = new Set(['down', 'admin_down']);

/**
 * A BFD session of a ready gateway that is down, though a policy uses it and its peer is one of the
 * gateway's.
 *
 * ovn-northd leaves the peer out of the policies while the session is down, and where none is up
 * the gateway's drop policy takes the traffic (kube-ovn.md §5, row 71). The chassis that has
 * claimed the router port sends BFD, so nothing is up where no ovn-controller runs: it is reported
 * only beside a session that is up, or where the Southbound says which chassis claimed the port.
 */
export default defineRule({
  id: 'bfd-session-down',
  class: 'drift',
  severity: 'critical',
  subject: 'BFD',
  reads: [...SESSION_KINDS],
  consults: ['Port_Binding', 'Chassis', ...DATABASE_KINDS],
  about:
    "The BFD session to a pod of a ready gateway is down: no traffic of the VPC goes through that pod, and none through the gateway if all its sessions are down. Check the pod's BFD daemon and that its node can reach the chassis of the router port; deleting the pod makes a new session.",

  check(session, view) {
    const { status, dst_ip: peer, logical_port: port } = session.object;
    if (!DOWN.has(status)) return healthy;
    const monitored = monitoredGateway(session, view);
    const [user] = (monitored?.policies ?? []).filter((it) => uses(it, session));
    if (!monitored || !user || !hasPeer(monitored.gateway, String(peer))) return healthy;
    const { gateway } = monitored;
    const binding = claimOf(String(port), view);
    if (!binding && !view.has(sessionsUp, 'any')) return healthy;
    return violation({
      summary: `the BFD session of ready ${gateway.kind} ${keyOf(gateway)} to ${String(peer)} on ${String(port)} is ${String(status)}: no traffic goes to that peer`,
      owner: view.ownership(session),
      concerns: [gateway, ...(binding ? [binding] : [])],
      proof: [
        value(session, 'status', String(status)),
        present(gateway),
        value(gateway, 'status.ready', 'true'),
        present(user),
        ...(binding ? [present(binding)] : []),
      ],
    });
  },
});

/**
 * Whether the address is of a pod of the gateway's, as its status says. The status of NAT gateways
 * names none: their policies hold the addresses of ready pods.
 */
function hasPeer(gateway: Gateway, peer: string): boolean {
  if (gateway.kind === 'VpcNatGateway') return true;
  const pods = (gateway as Entity<'VpcEgressGateway'>).object.status?.internalIPs ?? [];
  const wanted = spelled(peer);
  return (
    wanted !== undefined &&
    pods
      .flatMap((it) => it.split(','))
      .map(spelled)
      .includes(wanted)
  );
}

const spelled = (text: string): string | undefined => {
  const parsed = tryParseIp(text.trim());
  return parsed && formatIp(parsed);
};

/**
 * The binding of the router port where it lives, if a chassis that is there has claimed it and the
 * Southbound is that of this Northbound.
 */
function claimOf(
  port: string,
  view: View<'Port_Binding' | 'Chassis' | (typeof DATABASE_KINDS)[number]>,
): Entity<'Port_Binding'> | undefined {
  if (!view.knows('Port_Binding') || otherSouthbound(view) !== undefined) return undefined;
  const binding = view.get('Port_Binding', `cr-${port}`);
  const chassis = binding && view.byUid('Chassis', binding.object.chassis ?? '');
  return chassis && binding;
}

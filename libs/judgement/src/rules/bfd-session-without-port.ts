import { absentRow, unchanged, unreferenced, value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { userOf } from '../rule-kit/user-of';
import type { Entity } from '../world/entity';

/** The keys of gateways, whose sessions are `orphaned-bfd`'s. */
const GATEWAYS = ['vpc-egress-gateway', 'vpc-nat-gateway'];

/**
 * A BFD session of no gateway, on a port that does not exist, and that nothing follows.
 *
 * A session is a root row, so it stays when the router of its port goes with a Vpc or the port with
 * a Subnet. Kube-OVN puts no key on those of external gateways and static routes (kube-ovn.md §3.2,
 * rows 44 and 71), so whose it is is not known; but without its port ovn-northd makes nothing of
 * it.
 */
export default defineRule({
  id: 'bfd-session-without-port',
  class: 'drift',
  severity: 'info',
  subject: 'BFD',
  reads: [
    'Logical_Router_Port',
    'Logical_Switch_Port',
    'Logical_Router_Policy',
    'Logical_Router_Static_Route',
  ],
  about:
    'A BFD session without a key that says who made it, on a port that does not exist, and which no route and no policy follows. It does nothing and stays over restarts; check that nobody makes the port again, and delete it.',

  check(session, view) {
    const { external_ids: ids = {} } = session.object;
    const port = String(session.object['logical_port'] ?? '');
    if (port === '' || GATEWAYS.some((it) => Object.hasOwn(ids, it))) return healthy;
    const isGone = (['Logical_Router_Port', 'Logical_Switch_Port'] as const).every(
      (it) => view.presence(it, port) === 'absent',
    );
    if (!isGone || userOf(session as Entity, view) !== undefined) return healthy;
    const owner = view.ownership(session);
    if (owner.owner !== 'unknown' && owner.owner !== 'kube-ovn') return healthy;
    return violation({
      summary: `the BFD session to ${String(session.object['dst_ip'])} is on port ${port}, which does not exist, and no route and no policy follows it`,
      owner,
      proof: [
        absentRow('Logical_Router_Port', port),
        absentRow('Logical_Switch_Port', port),
        unreferenced(session),
        value(session, 'logical_port', port),
        unchanged(session),
      ],
    });
  },
});

import { type Entity, referenceTo } from '../world/entity';
import { userOf } from '../rule-kit/user-of';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import { absent, unchanged, unreferenced, value } from '../rule-kit/facts';

/** Kinds of gateways by the key under which their sessions name them (kube-ovn.md §3.2). */
const GATEWAYS = [
  ['vpc-egress-gateway', 'VpcEgressGateway'],
  ['vpc-nat-gateway', 'VpcNatGateway'],
] as const;

/**
 * A BFD session of a deleted gateway that no route or policy follows any more.
 *
 * Sessions are removed with the gateway's finalizer; those of a gateway whose VPC was deleted first
 * stay (kube-ovn.md §7.3, row 44). Sessions of external gateways carry no key, and are never
 * judged.
 */
export default defineRule({
  id: 'orphaned-bfd',
  class: 'garbage',
  severity: 'info',
  subject: 'BFD',
  reads: [
    'VpcEgressGateway',
    'VpcNatGateway',
    'Logical_Router_Policy',
    'Logical_Router_Static_Route',
    'Logical_Router_Port',
  ],
  about:
    'A BFD session of a gateway that no longer exists. No route and no policy follows it. A restart does not remove it.',
  remedy: 'delete-bfd',

  check(session, view) {
    const ids = session.object.external_ids ?? {};
    const named = GATEWAYS.filter(([key]) => Object.hasOwn(ids, key)).map(([key, kind]) => ({
      kind,
      key: ids[key]!,
    }));
    if (named.length === 0 || named.some(({ kind, key }) => view.presence(kind, key) !== 'absent'))
      return healthy;
    const owner = view.ownership(session);
    if (owner.verdict !== 'candidate') return healthy;
    const follower = userOf(session as Entity, view);
    if (follower)
      return unknown(
        `${named[0]!.kind} ${named[0]!.key} is gone, yet ${follower} follows its BFD session to ${String(session.object['dst_ip'])}`,
      );

    return violation({
      summary: `the BFD session to ${String(session.object['dst_ip'])} on ${String(session.object['logical_port'])} is of ${named[0]!.kind} ${named[0]!.key}, which no longer exists`,
      owner,
      proof: [
        ...named.map(({ kind, key }) => absent(kind, key)),
        unreferenced(session),
        value(session, 'external_ids', JSON.stringify(ids)),
        unchanged(session),
      ],
      remedy: {
        action: 'delete-bfd',
        target: referenceTo(session),
        advice: 'delete the BFD session; nothing follows it',
      },
    });
  },
});

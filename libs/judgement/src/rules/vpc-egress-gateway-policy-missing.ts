import { GATEWAY_TABLES } from '../relations/rows-by-gateway';
import { type ServedGateway, servedGateway } from '../rule-kit/egress-gateway';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unclaimed, value } from '../rule-kit/facts';
import { type Entity, keyOf } from '../world/entity';

/**
 * Of Kube-OVN's policies for egress gateways, in every release that has these
 * (`EgressGatewayPolicyPriority`, `EgressGatewayDropPolicyPriority`).
 */
const TO_GATEWAY = 29_100;
const DROP = 29_090;

/**
 * A ready VPC egress gateway that lacks one of the router policies by which Kube-OVN sends traffic
 * to it, and has others.
 *
 * For each family in which its pods have addresses there is one for the pods it selects and one for
 * the networks of its `policies`, and with BFD a second of each, which drops what no living pod of
 * the gateway takes (pkg/controller/vpc_egress_gateway.go; kube-ovn.md §5, rows 9 and 72). Those
 * that keep traffic on its node, with `trafficPolicy: Local`, are not looked for: without them it
 * goes to any pod of the gateway.
 */
export default defineRule({
  id: 'vpc-egress-gateway-policy-missing',
  class: 'drift',
  severity: 'critical',
  subject: 'VpcEgressGateway',
  reads: [...GATEWAY_TABLES],
  about:
    'A VpcEgressGateway that is ready and lacks one of its router policies: the traffic that policy is for leaves the VPC another way, or passes though the gateway is down. Any change of the object, such as an annotation, creates it again. A restart of the controller need not, and up to v1.15.16 and in v1.16.0 to v1.16.2 it deletes the port group of its pods.',

  check(gateway, view) {
    const served = servedGateway(gateway, view);
    if (!served) return healthy;
    const there = new Set(
      served.policies.map(({ object }) => `${object.priority ?? 0} ${object.match ?? ''}`),
    );
    const missing = desiredOf(gateway, served).filter((it) => !there.has(it));
    return violation(
      ...missing.map((rule) => ({
        summary: `VpcEgressGateway ${keyOf(gateway)} is ready, and one of its router policies is missing: ${rule}`,
        part: { column: 'Logical_Router_Policy', key: rule },
        concerns: served.policies,
        proof: [
          present(gateway),
          value(gateway, 'status.ready', 'true'),
          ...served.policies.map((it) => present(it)),
          unclaimed(
            'Logical_Router_Policy',
            'external_ids[vpc-egress-gateway], priority and match',
            `${keyOf(gateway)} ${rule}`,
          ),
        ],
      })),
    );
  },
});

/** `<priority> <match>` of those that traffic of the gateway needs. */
function desiredOf(
  { object: { spec } }: Entity<'VpcEgressGateway'>,
  { families, podsSet, sourcesSet }: ServedGateway,
): readonly string[] {
  const priorities = spec?.bfd?.enabled === true ? [TO_GATEWAY, DROP] : [TO_GATEWAY];
  return families.flatMap((family) =>
    [
      ...((spec?.selectors ?? []).length > 0 ? [podsSet(family)] : []),
      ...((spec?.policies ?? []).length > 0 ? [sourcesSet(family)] : []),
    ].flatMap((set) => priorities.map((it) => `${it} ip${family}.src == $${set}`)),
  );
}

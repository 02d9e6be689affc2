import { ascendingBy } from '@ovn-steward/shared/compare';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { GATEWAY_TABLES, rowsByGateway } from '../relations/rows-by-gateway';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { present, unclaimed, value } from '../rule-kit/facts';
import { keyOf } from '../world/entity';

/**
 * A VPC egress gateway that is ready and has no router policy.
 *
 * Kube-OVN makes them for its sources as soon as a pod of the gateway is ready, with the gateway's
 * key, and takes them away with the last such pod, when the gateway is not ready any more
 * (pkg/controller/vpc_egress_gateway.go). They are lost when the policies of its VPC are set to
 * those of the spec, and when a subnet of it is recreated (rows 9 and 72).
 */
export default defineRule({
  id: 'vpc-egress-gateway-without-policies',
  class: 'drift',
  severity: 'critical',
  subject: 'VpcEgressGateway',
  reads: [...GATEWAY_TABLES],
  about:
    'A VpcEgressGateway that is ready and has no router policy: the traffic it is for does not go through it, and leaves the VPC with another address or not at all. Any change of the object, such as an annotation, creates them again. A restart of the controller need not, and up to v1.15.16 and in v1.16.0 to v1.16.2 it deletes the port group of its pods.',

  check(gateway, view) {
    const { spec, status } = gateway.object;
    const isFor = (spec?.selectors ?? []).length + (spec?.policies ?? []).length;
    if (isBeingDeleted(gateway) || status?.ready !== true || isFor === 0) return healthy;
    // Without pods there is no next hop; the controller calls such a Deployment ready.
    if (spec?.replicas === 0) return healthy;
    const key = `vpc-egress-gateway ${keyOf(gateway)}`;
    const rows = view.related(rowsByGateway, key);
    if (rows.some(({ kind }) => kind === 'Logical_Router_Policy')) return healthy;
    return violation({
      summary: `VpcEgressGateway ${keyOf(gateway)} is ready, and no router policy sends traffic to it`,
      concerns: [...rows].sort(ascendingBy((it) => it.uid)),
      proof: [
        present(gateway),
        value(gateway, 'status.ready', 'true'),
        unclaimed('Logical_Router_Policy', 'external_ids[vpc-egress-gateway]', keyOf(gateway)),
      ],
    });
  },
});

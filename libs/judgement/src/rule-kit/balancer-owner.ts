import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { balancerFor } from '../kube-ovn/service-vips';
import { localEvidence } from '../ownership/local-evidence';
import { vpcsByLoadBalancer } from '../relations/vpcs-by-load-balancer';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import { isKeyless } from './keyless';
import type { View } from './view';

/**
 * Whose the balancer is; undefined where it is not shown to be Kube-OVN's. One without any key is by
 * the status of the Vpc that names it: into that the controller writes, and from that it takes what
 * no Service requests (`gcLoadBalancer`), whoever made it.
 */
export function ownerOfBalancer(
  balancer: Entity<'Load_Balancer'>,
  view: View<'Vpc'>,
): Ownership | undefined {
  const owner = view.ownership(balancer);
  if (owner.verdict === 'candidate') return owner;
  if (!isKeyless(balancer) || owner.owner !== 'unknown' || owner.confidence > 0) return undefined;
  const protocol = balancer.object.protocol ?? 'tcp';
  const [vpc, second] = view.related(vpcsByLoadBalancer, balancer.name);
  const isNamed = ['None', 'ClientIP'].some(
    (it) => vpc && balancerFor(vpc, protocol, it) === balancer.name,
  );
  if (!vpc || second || !isNamed) return undefined;
  const reason = `Vpc ${vpc.name} names it as its balancer, to which releases before v1.15 give no key`;
  return { ...owner, owner: 'kube-ovn', confidence: 2, evidence: [reason, ...owner.evidence] };
}

/**
 * The same of a health check of the balancer: in one without any key it is Kube-OVN's where it names
 * the subnet that it checks from.
 */
export function ownerOfHealthCheck(
  check: Entity<'Load_Balancer_Health_Check'>,
  balancer: Entity<'Load_Balancer'>,
  view: View<'Vpc'>,
): Ownership | undefined {
  const own = view.ownership(check);
  if (own.verdict === 'candidate') return own;
  const { owner, evidence } = localEvidence(check);
  if (owner !== 'kube-ovn' || parentsOf(check).length !== 1) return undefined;
  const its = ownerOfBalancer(balancer, view);
  return its && { ...its, verdict: 'protect', evidence: [...evidence, ...its.evidence] };
}

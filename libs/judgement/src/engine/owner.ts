import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { Entity } from '../world/entity';

/**
 * The owner of a Kubernetes object is settled by its API group: only Kube-OVN writes kubeovn.io.
 */
export function ownerOf(entity: Entity): Ownership {
  const kind = kubernetesKind(entity.kind);
  if (kind?.group === 'kubeovn.io') {
    return {
      owner: 'kube-ovn',
      verdict: 'candidate',
      confidence: 3,
      evidence: [`${entity.kind} is a kind of Kube-OVN's (${kind.group}/${kind.version})`],
    };
  }
  if (kind)
    return {
      owner: 'kubernetes',
      verdict: 'protect',
      confidence: 3,
      evidence: [`${entity.kind} belongs to the cluster's users, not to Kube-OVN`],
    };
  return {
    owner: 'unknown',
    verdict: 'protect',
    confidence: 0,
    evidence: ['no rule established the owner of this row'],
  };
}

import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Proposal } from '../findings/proposal';

type Owner = Extract<Proposal['proof'][number], { fact: 'absent' }>;

/** What the proof says is absent from Kubernetes, and would own the subject. */
export const absentOwner = ({ proof }: Proposal): Owner | undefined =>
  proof.find((it): it is Owner => it.fact === 'absent' && it.source === 'kubernetes');

/** Creates that owner. @throws Error where the proof names none. */
export function putOwner(kubernetes: MemoryKubernetes, finding: Proposal): void {
  const owner = absentOwner(finding);
  if (owner === undefined) throw new Error(`${finding.rule} names no owner`);
  const slash = owner.key.indexOf('/');
  kubernetes.put({
    kind: owner.kind,
    metadata: {
      name: owner.key.slice(slash + 1),
      ...(slash < 0 ? {} : { namespace: owner.key.slice(0, slash) }),
    },
  });
}

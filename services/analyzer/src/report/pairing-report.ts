import type { Pairing } from '@ovn-steward/judgement/world/pairing/pairing';
import type { AuditPairing } from '@ovn-steward/shared/events/audit';

/** What a person checks where the two systems are not shown to be one cluster. */
const NEXT = {
  unknown:
    'Check that the kubeconfig and the Northbound are of one cluster, and that Kubernetes was read whole and at the same time as the Northbound. Rules that compare both say nothing until then.',
  mispaired:
    'Check which cluster the kubeconfig and which the address of the Northbound lead to, and give two of one cluster. Rules that compare both say nothing until then.',
} as const;

/** Whether both systems are one cluster, as the public documents say it. */
export function pairingReport({ is, reason, bySaying, ...evidence }: Pairing): AuditPairing {
  return {
    state: is,
    reason,
    bySaying,
    ...(is === 'paired' ? {} : { next: NEXT[is] }),
    evidence,
  };
}

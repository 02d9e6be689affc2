import type { Pairing } from '@ovn-steward/judgement/rule-kit/pairing';
import type { CutList } from '@ovn-steward/judgement/rule-kit/cut-lists';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { AuditPairing } from '@ovn-steward/contracts/audit';

/** What a person checks where the two systems are not shown to be one cluster. */
const NEXT = {
  unknown:
    'Check that the kubeconfig and the Northbound are of one cluster, and that Kubernetes was read whole and at the same time as the Northbound. Rules that compare both say nothing until then.',
  mispaired:
    'Check which cluster the kubeconfig and which the address of the Northbound lead to, and give two of one cluster. Rules that compare both say nothing until then.',
} as const;

/**
 * Whether both systems are one cluster, as the public documents say it.
 * @param cut lists of a recording that do not seem whole (`cutLists`).
 */
export function pairingReport(
  { is, reason, bySaying, ...evidence }: Pairing,
  cut: readonly CutList[] = [],
): AuditPairing {
  return {
    state: is,
    reason,
    bySaying,
    ...(is === 'paired' ? {} : { next: NEXT[is] }),
    evidence,
    ...(cut.length === 0 ? {} : { lists: cut.map(listReport) }),
  };
}

const listReport = ({ kind, reason }: CutList): NonNullable<AuditPairing['lists']>[number] => {
  const known = kubernetesKind(kind);
  const resource = known?.group ? `${known.resource}.${known.group}` : known?.resource;
  return {
    kind,
    reason,
    next: `Record ${resource} again, of all namespaces and with the right to list them all. What rests on the absence of one is withheld until then.`,
  };
};

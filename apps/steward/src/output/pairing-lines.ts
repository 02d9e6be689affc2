import type { AuditPairing } from '@ovn-steward/contracts/audit';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';

const COLOUR = { paired: String, unknown: pc.yellow, mispaired: pc.red } as const;

/**
 * Whether Kubernetes and Northbound are one cluster, below the sources; nothing where the document
 * does not say it.
 */
export function pairingLines(pairing: AuditPairing | undefined): string[] {
  if (pairing === undefined) return [];
  const { state, reason, bySaying, next, evidence, lists = [] } = pairing;
  const why = state !== 'paired' || bySaying ? `${safeText(reason, 500)}; ` : '';
  return [
    `  pairing     ${COLOUR[state](state.padEnd(9))}  ${why}${evidenceText(evidence)}`,
    ...(next === undefined ? [] : [pc.dim(`              ${next}`)]),
    ...lists.flatMap((list) => [
      `  lists       ${pc.yellow('cut'.padEnd(9))}  ${safeText(list.reason, 500)}`,
      pc.dim(`              ${safeText(list.next, 500)}`),
    ]),
  ];
}

/** Every figure of which there is any, but how many agree and disagree always. */
function evidenceText(evidence: AuditPairing['evidence']): string {
  const agree = `${evidence.agree - evidence.nodesAgree} pods and ${evidence.nodesAgree} nodes have the MAC address of their port, ${evidence.disagree} another one`;
  const missed = evidence.nodesMissed + evidence.podsMissed;
  return [
    agree,
    ...(missed > 0 ? [`${missed} ports are up and belong to nothing in Kubernetes`] : []),
    ...(evidence.portless > 0 ? [`${evidence.portless} pods and nodes have no port`] : []),
  ].join('; ');
}

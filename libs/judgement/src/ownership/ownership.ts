import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import type { Doubt } from './doubts';
import { doubtAbout } from './doubts';
import { protectingHolder } from './holders';
import { isPrivatePart, localEvidence, protects } from './local-evidence';
import type { NbRow, Neighbourhood } from './grammar/row';
import { columnList, titleOf } from './grammar/row';
import { parentsOf } from '../world/ovn-rows';

/**
 * The owner of this row and whether it may enter the garbage rules (docs/ownership.md). The first
 * reason to keep it wins; only when there is none and Kube-OVN's ownership is proven is it a
 * candidate. Only keeping spreads from row to row, so the answer does not depend on the order in
 * which rows are examined.
 */
export function ownershipOf(row: NbRow, neighbourhood: Neighbourhood): Ownership {
  const own = localEvidence(row);
  if (own.owner !== 'kube-ovn' && own.owner !== 'none' && own.owner !== 'unknown')
    return protect(own.owner, own.strength, ...own.evidence);
  const held = protectingHolder(row, neighbourhood);
  if (held) return protect(held.owner, 3, held.reason, ...own.evidence);
  const child = neighbourhood.protectingChildren(row.uid)[0];
  if (child)
    return protect(
      'shared',
      3,
      `holds ${titleOf(child)}, which is not proven Kube-OVN's: ${localEvidence(child).evidence[0]}`,
      ...own.evidence,
    );
  const referrer = protectingReferrer(row, neighbourhood);
  if (referrer) return protect('shared', 3, referrer, ...own.evidence);
  if (own.owner === 'none') return keyless(row, neighbourhood, own.evidence);
  if (own.owner === 'unknown') return protect('unknown', 0, ...own.evidence);

  const doubt: Doubt | undefined = doubtAbout(row, own, neighbourhood);
  if (doubt) return protect('kube-ovn', doubt.confidence, doubt.reason, ...own.evidence);
  const [holder] = parentsOf(row);
  const where = holder
    ? `held by ${holder.kind} ${neighbourhood.row(holder.uid)?.name ?? holder.uid}, which is Kube-OVN's too`
    : 'nothing holds it';
  return {
    owner: 'kube-ovn',
    verdict: 'candidate',
    confidence: 3,
    evidence: [
      ...own.evidence,
      where,
      'no row of anybody else holds it, lies in it or refers to it',
    ],
  };
}

const protect = (owner: string, confidence: number, ...evidence: string[]): Ownership => ({
  owner,
  verdict: 'protect',
  confidence,
  evidence,
});

/** Rule 6. A group that only lacks the tag is not foreign to the ports it lists. */
function protectingReferrer(row: NbRow, neighbourhood: Neighbourhood): string | undefined {
  for (const uid of columnList(row, '_port_groups')) {
    if (!neighbourhood.row(uid)) return `listed by port group ${uid}, about which nothing is known`;
  }
  for (const referrer of neighbourhood.referrers(row)) {
    const evidence = localEvidence(referrer);
    const untaggedGroup =
      referrer.kind === 'Port_Group' &&
      row.kind === 'Logical_Switch_Port' &&
      evidence.owner === 'kube-ovn';
    if (protects(evidence, referrer) && !untaggedGroup)
      return `${titleOf(referrer)} refers to it and is not proven Kube-OVN's: ${evidence.evidence[0]}`;
    const held = protectingHolder(referrer, neighbourhood);
    if (held) return `${titleOf(referrer)} refers to it and is ${held.reason}`;
  }
  return undefined;
}

/**
 * Nothing on the row identifies its owner. A part goes by its holder; so does a NAT, to which
 * Kube-OVN never adds a key. The rest is kept as unknown.
 */
function keyless(row: NbRow, neighbourhood: Neighbourhood, evidence: readonly string[]): Ownership {
  const [holder, second] = parentsOf(row).map((it) => neighbourhood.row(it.uid));
  if (holder && !second && isPrivatePart(row.kind))
    return protect(
      'kube-ovn',
      2,
      `a part of ${titleOf(holder)}, which is Kube-OVN's, and goes with it`,
      ...evidence,
    );
  if (holder && !second && row.kind === 'NAT') {
    return protect(
      'kube-ovn',
      1,
      `on ${titleOf(holder)}, which is Kube-OVN's, but Kube-OVN marks no NAT: only a record of the same addresses can tell`,
      ...evidence,
    );
  }
  return protect('unknown', 0, ...evidence);
}

/**
 * Rule 8: the same content was recorded from a Kubernetes object. That makes Kube-OVN's ownership
 * strong, enough to report the row; it stays protected. Undefined when other evidence speaks
 * against Kube-OVN.
 */
export function recorded(ownership: Ownership, source: string): Ownership | undefined {
  if (ownership.owner !== 'kube-ovn' || ownership.verdict !== 'protect') return undefined;
  return protect(
    'kube-ovn',
    Math.max(2, ownership.confidence),
    `the same addresses were recorded from ${source}`,
    ...ownership.evidence,
  );
}

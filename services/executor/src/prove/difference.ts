import type { Claim } from '@ovn-steward/judgement/engine/lifecycle';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import type { Finding } from '@ovn-steward/contracts/findings/finding';

const same = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/**
 * In which way the rule says something else now than the finding does; undefined when it says the
 * same. Sentences for people are not compared.
 */
export function claimDifference(finding: Finding, claim: Claim): string | undefined {
  if (!same(finding.subject, claim.subject)) return 'its subject is called otherwise now';
  if (!claim.remedy) return 'there is no remedy for it any more';
  if (finding.remedy?.action !== claim.remedy.action)
    return `its remedy is now ${claim.remedy.action}, not ${finding.remedy?.action}`;
  if (!same(finding.remedy.target, claim.remedy.target))
    return 'its remedy is about something else now';
  if (same(finding.proof, claim.proof)) return undefined;
  const fresh = new Set(claim.proof.map(canonicalJson));
  const old = new Set(finding.proof.map(canonicalJson));
  const [lost] = finding.proof.filter((it) => !fresh.has(canonicalJson(it)));
  const [added] = claim.proof.filter((it) => !old.has(canonicalJson(it)));
  if (lost?.fact === 'unchanged')
    return `${lost.subject.kind} ${lost.subject.name || lost.subject.uid} says something else than when it was found`;
  if (lost) return `a fact of its proof is not one any more: ${canonicalJson(lost)}`;
  return added
    ? `its proof needs more now: ${canonicalJson(added)}`
    : 'its proof has another order now';
}

import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Rule } from '@ovn-steward/judgement/rule-kit/rule';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { kubernetesKind } from '@ovn-steward/shared/kinds';

const RULE: ReadonlyMap<string, Rule> = new Map(RULES.map((it) => [it.id, it]));

/** Why the finding is nothing to act on, whatever is there; else its rule. */
export function objectionTo(finding: Finding, cluster: string): string | Rule {
  if (finding.cluster !== cluster)
    return `it is about cluster ${finding.cluster}, and this executor acts on ${cluster}`;
  if (finding.state !== 'confirmed')
    return `it is ${finding.state}, and only what is confirmed is acted on`;
  if (finding.doubt !== undefined) return `it is in doubt: ${finding.doubt}`;
  if (!finding.remedy) return 'it has no remedy: a person must decide';
  const rule = RULE.get(finding.rule);
  if (!rule) return `this version has no rule ${finding.rule}`;
  if (
    rule.subject !== finding.subject.kind ||
    (finding.subject.source === 'kubernetes') !== (kubernetesKind(rule.subject) !== undefined)
  )
    return `the rule ${rule.id} judges ${rule.subject}, not ${finding.subject.kind}`;
  return rule;
}

import { requireRuleSettings } from '@ovn-steward/judgement/rule-named';
import type { Mode } from '@ovn-steward/shared/mode';
import type { Settings } from '@ovn-steward/shared/settings/settings';

/** Rules whose remedy writes rows of others: an `executor.mode` of enforce only proposes it. */
const ONLY_BY_NAME: ReadonlySet<string> = new Set(['neighbour-damaged']);

/**
 * The mode of each rule, as the settings say.
 * @param known the ids of the rules there are.
 * @throws Failure `config-invalid` when the settings name a rule there is not: meant to be watched
 *   or let loose, it would be neither.
 */
export function modes(
  {
    mode,
    rules,
    approvers = {},
  }: Pick<Settings['executor'], 'mode' | 'rules'> &
    Partial<Pick<Settings['executor'], 'approvers'>>,
  known: readonly string[],
): (rule: string) => Mode {
  const named = new Map(Object.entries(rules));
  requireRuleSettings(
    { 'executor.rules': [...named.keys()], 'executor.approvers': Object.keys(approvers) },
    known,
  );
  const unnamed = (rule: string): Mode =>
    mode === 'enforce' && ONLY_BY_NAME.has(rule) ? 'propose' : mode;
  return (rule) => (known.includes(rule) ? (named.get(rule) ?? unnamed(rule)) : 'observe');
}

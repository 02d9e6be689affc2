import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { maySelect, type Selected, surelySelects } from '@ovn-steward/contracts/control/selects';
import type { Selector } from '@ovn-steward/contracts/identity/selector';
import type { RuleSwitch } from '@ovn-steward/shared/settings/settings';
import { requireRuleSettings } from './rule-named';

/** What the setting `rules` says of a finding; undefined where it says nothing of it. */
export interface RuleSwitches {
  /**
   * Another grace than that of the class, by the first entry that fits for certain and says one;
   * milliseconds.
   */
  graceOf(finding: Selected): number | undefined;
  /** That it is switched off for certain: only then is it hidden. */
  surelyOff(finding: Selected): Keeping | undefined;
  /** That it may be switched off: then it is not acted on. */
  maybeOff(finding: Selected): Keeping | undefined;
}

/**
 * @throws Failure `config-invalid` for a rule there is not: an entry with a slip in it would switch
 *   nothing off.
 */
export function ruleSwitches(switches: readonly RuleSwitch[]): RuleSwitches {
  requireRuleSettings({ rules: switches.flatMap(({ rule }) => rule ?? []) });
  const entries = switches.map((it) => ({ ...it, selector: selectorOf(it) }));
  const firstOff =
    (fitsOff: typeof maySelect, fitsOn: typeof maySelect) =>
    (finding: Selected): Keeping | undefined => {
      const entry = entries.find(
        ({ enabled, selector }) =>
          enabled !== undefined && (enabled ? fitsOn : fitsOff)(selector, finding),
      );
      return entry?.enabled === false ? keepingOf(entry) : undefined;
    };
  return {
    graceOf: (finding) =>
      entries.find(({ grace, selector }) => grace !== undefined && surelySelects(selector, finding))
        ?.grace,
    surelyOff: firstOff(surelySelects, maySelect),
    maybeOff: firstOff(maySelect, surelySelects),
  };
}

const selectorOf = ({ rule, vpc, subnet, namespace }: RuleSwitch): Selector => ({
  ...(rule !== undefined && { rule }),
  ...(vpc !== undefined && { vpc }),
  ...(subnet !== undefined && { subnet }),
  ...(namespace !== undefined && { namespace }),
});

const keepingOf = ({
  selector,
  reason = 'switched off by the setting rules',
}: {
  readonly selector: Selector;
  readonly reason?: string | undefined;
}): Keeping => ({ kind: 'suppress', selector, reason, by: 'settings', at: '', until: null });

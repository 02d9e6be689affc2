import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';
import { RULES } from './rules/registry';

const KNOWN: readonly string[] = RULES.map(({ id }) => id);

/**
 * Why a name is no rule's, with the one that was probably meant; undefined for the id of a rule.
 * @param known the ids there are.
 */
export function noSuchRule(id: string, known = KNOWN): string | undefined {
  if (known.includes(id)) return undefined;
  const meant = nearest(id, known);
  return `there is no rule ${JSON.stringify(id.slice(0, 100))}; ${meant === undefined ? 'docs/rules.md lists them' : `did you mean ${JSON.stringify(meant)}?`}`;
}

/**
 * A misspelt name would choose, hold or allow nothing, and appear as if there were nothing.
 * @param recorded ids that stand in records, where a rule of an earlier version may be named.
 * @throws Failure `config-invalid`.
 */
export function requireRule(id: string, recorded: Iterable<string> = []): void {
  const wrong = noSuchRule(id);
  if (wrong === undefined || new Set(recorded).has(id)) return;
  throw new Failure('config-invalid', `T${wrong.slice(1)}`);
}

/**
 * What is wrong with the names of rules in settings: all of it.
 * @param named the ids that each setting names, by the setting's key.
 * @param known the ids there are.
 * @throws Failure `config-invalid`.
 */
export function requireRuleSettings(
  named: Readonly<Record<string, readonly string[]>>,
  known = KNOWN,
): void {
  const wrong = Object.entries(named).flatMap(([setting, ids]) =>
    ids.flatMap((id) => {
      const why = noSuchRule(id, known);
      return why === undefined ? [] : [`  ${setting}: ${why}`];
    }),
  );
  if (wrong.length > 0)
    throw new Failure('config-invalid', `The configuration is not valid:\n${wrong.join('\n')}`);
}

/** What a schema requires of a rule's id in a query (zod's `superRefine`). */
export function refuseNoRule(
  id: string,
  context: { addIssue(issue: { readonly code: 'custom'; readonly message: string }): void },
): void {
  const message = noSuchRule(id);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}

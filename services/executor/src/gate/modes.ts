import { Failure } from '@ovn-steward/shared/errors';
import type { Mode } from '@ovn-steward/shared/events/action';
import { nearest } from '@ovn-steward/shared/nearest';
import type { Settings } from '@ovn-steward/shared/settings';

/**
 * The mode of each rule, as the settings say.
 * @param known the ids of the rules there are.
 * @throws Failure `config-invalid` when the settings name a rule there is not: meant to be watched or let loose, it would be neither.
 */
export function modes(
  { mode, rules }: Pick<Settings['executor'], 'mode' | 'rules'>,
  known: readonly string[],
): (rule: string) => Mode {
  const named = new Map(Object.entries(rules));
  const wrong = [...named.keys()]
    .filter((it) => !known.includes(it))
    .map((it) => {
      const meant = nearest(it, known);
      return `executor.rules: there is no rule ${JSON.stringify(it)}${meant === undefined ? `; there are ${known.join(', ')}` : `; did you mean ${JSON.stringify(meant)}?`}`;
    });
  if (wrong.length > 0)
    throw new Failure(
      'config-invalid',
      `The configuration is not valid:\n${wrong.map((it) => `  ${it}`).join('\n')}`,
    );
  return (rule) => (known.includes(rule) ? (named.get(rule) ?? mode) : 'observe');
}

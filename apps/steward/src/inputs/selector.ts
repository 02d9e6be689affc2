import type { Command } from 'commander';
import { type Finding, FindingClass } from '@ovn-steward/contracts/findings/finding';
import { type Selector, SELECTOR_MEMBERS } from '@ovn-steward/contracts/identity/selector';
import { surelySelects } from '@ovn-steward/contracts/control/selects';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import { Failure } from '@ovn-steward/shared/errors';
import type { Channel } from './decisions';
import { knownFindings } from './known-findings';
import { pickById } from './pick-by-id';

export interface SelectorOptions {
  readonly rule?: string;
  readonly class?: string;
  readonly vpc?: string;
  readonly subnet?: string;
  readonly namespace?: string;
  readonly subject?: string;
  readonly force?: boolean;
}

/** The argument and options that say which findings are meant. */
export const withSelector = (command: Command): Command =>
  command
    .argument('[finding]', 'one finding, by its id or the beginning of it')
    .option('--rule <id>', 'findings of this rule')
    .option('--class <class>', 'findings of this class')
    .option('--vpc <name>', 'findings in this VPC')
    .option('--subnet <name>', 'findings in this subnet')
    .option('-n, --namespace <name>', 'findings in this namespace, or whose owner was in it')
    .option('--subject <thing>', 'a row or object: its uid, Kind/name or Kind/namespace/name')
    .option('--force', 'even if no current finding matches');

/**
 * Which findings the command line means: all that is named must match. An executor over HTTP that
 * judges nothing cannot say which findings stand: there what is named is taken as it is.
 * @throws Failure `config-invalid` where nothing is named, or a rule or class there is not;
 *   `input-not-found` where no finding that stands is meant, unless forced.
 */
export async function selectorOf(
  id: string | undefined,
  options: SelectorOptions,
  channel: Channel,
): Promise<Selector> {
  const { force = false } = options;
  const named = Object.fromEntries(
    SELECTOR_MEMBERS.flatMap((it) =>
      it === 'finding' || options[it] === undefined ? [] : [[it, options[it]]],
    ),
  );
  if (id === undefined && Object.keys(named).length === 0)
    throw new Failure(
      'config-invalid',
      'Nothing was named, and nothing was decided: give the id of a finding, --rule, --class, --vpc, --subnet, --namespace or --subject. To stop everything use steward hold.',
    );
  refuseSlips(options);
  if (force) return id === undefined ? named : { finding: id, ...named };
  const open = (await knownFindings(channel)).filter((it) => it.state !== 'resolved');
  const knowsAll = (await channel.server?.judges()) ?? true;
  const isWhole = id !== undefined && /^[0-9a-f]{64}$/.test(id);
  const selector: Selector =
    id === undefined
      ? named
      : { finding: !knowsAll && isWhole ? id : findingOf(id, open), ...named };
  if (knowsAll && !open.some((it) => surelySelects(selector, it)))
    throw new Failure(
      'input-not-found',
      `No finding that stands is meant by ${JSON.stringify(selector)}; nothing was decided. steward findings lists what stands; --force decides about what is to come.`,
    );
  return selector;
}

const findingOf = (id: string, open: readonly Finding[]): string =>
  pickById(id, open, 'finding that stands', 'steward findings').id;

/** A name with a slip in it would mean nothing. */
function refuseSlips({ rule, class: named }: SelectorOptions): void {
  if (rule !== undefined) requireRule(rule);
  if (named !== undefined && !FindingClass.safeParse(named).success)
    throw new Failure(
      'config-invalid',
      `There is no class ${JSON.stringify(named)}: there are ${FindingClass.options.join(', ')}.`,
    );
}

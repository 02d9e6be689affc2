import type { Command } from 'commander';
import { Option } from 'commander';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import { type ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import { EXIT } from '../process/exit-codes';
import { withLedger, withLedgerOptions } from '../inputs/ledger';
import { channelOf } from '../inputs/decisions';
import type { LogOptions } from '../inputs/log';
import { doubtAboutMemory } from '../inputs/memory-age';
import { pickById } from '../inputs/pick-by-id';
import { printDoubt } from '../output/print-doubt';
import { actionText } from '../output/actions-text';
import { actionsMarkdown, actionsText } from '../output/actions-list';
import { isForPeople, type ListForm, outputOption } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { printPaged, withPager } from '../output/paged';
import { fitted } from '../output/terminal';

interface ActionsOptions extends LogOptions {
  readonly cluster?: string;
  readonly state?: ActionState;
  readonly rule?: string;
  readonly plan?: string;
  readonly output: ListForm | 'text';
  readonly pager?: boolean;
  readonly fullIds?: boolean;
}

/** `steward actions`: what the executor decided about findings and did, from its memory or the log. */
export function actionsCommand(program: Command, done: (code: number) => void): void {
  withPager(
    withLedgerOptions(
      program
        .command('actions')
        .argument('[id]', 'show all of this action: its id, or its beginning')
        .description('list decisions and actions of the executor, or show one'),
    ),
  )
    .option('--cluster <name>', 'only of this cluster')
    .addOption(new Option('--state <state>', 'only these').choices(ActionState.options))
    .option('--rule <id>', 'only of this rule')
    .option('--plan <id>', 'only of this plan')
    .addOption(outputOption(['text']))
    .option('--full-ids', 'whole ids in the list')
    .action(async (id: string | undefined, options: ActionsOptions) => {
      const { cluster, state, rule, plan, output } = options;
      const { actions, unreadable } = await withLedger(options, (ledger, unreadable) => {
        const actions = ledger.list({ cluster, state, rule, plan, id });
        // The id may be of an action of an earlier version: then its records are there.
        if (rule !== undefined && actions.length === 0) requireRule(rule);
        return { actions, unreadable };
      });
      if (unreadable > 0)
        process.stderr.write(
          `${unreadable} record${unreadable === 1 ? '' : 's'} of the log could not be read as actions: see steward dead-letters\n`,
        );
      const form = output === 'text' ? 'table' : output;
      const sorted = actions.sort(byTime);
      const text =
        id === undefined
          ? actionsText(form, sorted, { fullIds: options.fullIds === true })
          : oneText(form, pickById(id, sorted, 'action', 'steward actions'));
      if (isForPeople(form)) printPaged(fitted(text), options);
      else process.stdout.write(text);
      // No decisions may mean that nothing was observed.
      const doubt =
        id === undefined && actions.length === 0
          ? await doubtAboutMemory(await channelOf(options))
          : undefined;
      printDoubt(doubt);
      done(doubt === undefined ? EXIT.nothingFound : EXIT.couldNotKnow);
    });
}

function oneText(form: ListForm, action: ActionRecord): string {
  const text = (): string => actionText(action);
  return listText(form, {
    document: action,
    items: [action],
    ...{ table: text, wide: text, markdown: () => actionsMarkdown([action]) },
  });
}

const byTime = (a: ActionRecord, b: ActionRecord): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1;

import { compareValues } from '@ovn-steward/shared/compare';
import type { Command } from 'commander';
import { Option } from 'commander';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import { type ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import { counted } from '@ovn-steward/shared/counted';
import { EXIT } from '../process/exit-codes';
import { type FollowedActions, followedActions, withLedgerOptions } from '../inputs/ledger';
import { channelOf, withServer } from '../inputs/decisions';
import type { LogOptions } from '../inputs/log';
import { doubtAboutMemory } from '../inputs/memory-age';
import { pickById } from '../inputs/pick-by-id';
import { allNamespaces } from '../inputs/namespaces-option';
import type { ServerOptions } from '../inputs/steward-server';
import { actionText } from '../output/actions-text';
import { actionsMarkdown, actionsText } from '../output/actions-list';
import { isForPeople, type ListForm, outputOptionWithText } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { withPager } from '../output/paged';
import { fitted } from '../output/terminal';
import { showList, type ShownList, type WatchedListOptions, withWatch } from './show-list';
import { withOptions } from '../inputs/with-options';

interface ActionsOptions extends LogOptions, ServerOptions, WatchedListOptions {
  readonly cluster?: string;
  readonly state?: ActionState;
  readonly rule?: string;
  readonly plan?: string;
  readonly namespace?: string;
  readonly output: ListForm;
  readonly pager?: boolean;
  readonly fullIds?: boolean;
}

/**
 * `steward actions`: what the executor decided about findings and did, from its memory, the log, or
 * over HTTP.
 */
export function actionsCommand(program: Command, done: (code: number) => void): void {
  const command = program
    .command('actions')
    .argument('[id]', 'show all of this action: its id, or its beginning')
    .description('list decisions and actions of the executor, or show one');
  withOptions(command, withLedgerOptions, withServer, withPager, withWatch)
    .option('--cluster <name>', 'only of this cluster')
    .addOption(new Option('--state <state>', 'only these').choices(ActionState.options))
    .option('--rule <id>', 'only of this rule')
    .option('--plan <id>', 'only of this plan')
    .addOption(allNamespaces())
    .option('-n, --namespace <name>', 'only on objects in this namespace')
    .addOption(outputOptionWithText())
    .option('--full-ids', 'whole ids in the list')
    .action(async (id: string | undefined, options: ActionsOptions) => {
      const followed = await followedActions(options);
      const read = (): Promise<ShownList> => shown(followed, id, options);
      done(await showList(options, read).finally(() => followed.close()));
    });
}

async function shown(
  followed: FollowedActions,
  id: string | undefined,
  options: ActionsOptions,
): Promise<ShownList> {
  const { cluster, state, rule, plan, namespace, output } = options;
  const { actions: all, unreadable } = await followed.list({ cluster, state, rule, plan, id });
  const actions = all.filter(
    ({ target }) => namespace === undefined || target.namespace === namespace,
  );
  // The id may be of an action of an earlier version: then its records are there.
  if (rule !== undefined && actions.length === 0) requireRule(rule);
  const sorted = [...actions].sort(byTime);
  const text =
    id === undefined
      ? actionsText(output, sorted, { fullIds: options.fullIds === true })
      : oneText(output, await followed.whole(pickById(id, sorted, 'action', 'steward actions')));
  // No decisions may mean that nothing was observed; an executor over HTTP knows that itself.
  const doubt =
    id === undefined && actions.length === 0 && options.server === undefined
      ? await doubtAboutMemory(await channelOf(options))
      : undefined;
  return {
    text: isForPeople(output) ? fitted(text) : text,
    doubt,
    remarks: unreadableText(unreadable),
    code: doubt === undefined ? EXIT.nothingFound : EXIT.couldNotKnow,
  };
}

const unreadableText = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${counted(count, 'record')} of the log could not be read as actions: see steward dead-letters`,
      ];

function oneText(form: ListForm, action: ActionRecord): string {
  const text = (): string => actionText(action);
  return listText(form, {
    document: action,
    items: [action],
    table: text,
    wide: text,
    markdown: () => actionsMarkdown([action]),
  });
}

const byTime = (a: ActionRecord, b: ActionRecord): number =>
  compareValues(a.at, b.at) || compareValues(a.id, b.id);

import type { Command } from 'commander';
import type { StandingDecisions } from '@ovn-steward/executor';
import { EXIT } from '../process/exit-codes';
import { channelOf, type ChannelOptions, withChannel, withServer } from '../inputs/decisions';
import { followedDecisions } from '../inputs/followed-decisions';
import { holdsMarkdown, holdsText } from '../output/holds-text';
import { type ListForm, outputOptionWithText } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { fitted } from '../output/terminal';
import { showList, type ShownList, type WatchedListOptions, withWatch } from './show-list';
import { withOptions } from '../inputs/with-options';

interface HoldsOptions extends ChannelOptions, WatchedListOptions {
  readonly output: ListForm;
}

/** `steward holds`: which holds are in force, and which executors respect them. */
export function holdsCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('holds')
      .description(
        'show the holds in force: scope, reason, who set them, until when, and which executors respect them',
      ),
    withChannel,
    withServer,
    withWatch,
  )
    .option('--cluster <name>', 'the cluster it is about')
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .addOption(outputOptionWithText())
    .action(async (options: HoldsOptions) => {
      const decisions = await followedDecisions(await channelOf(options));
      const read = async (): Promise<ShownList> => ({
        text: textOf(options.output, await decisions.read()),
        code: EXIT.nothingFound,
      });
      done(await showList({ ...options, pager: false }, read).finally(() => decisions.close()));
    });
}

function textOf(
  form: HoldsOptions['output'],
  { cluster, holds, executors }: StandingDecisions,
): string {
  const text = (): string => fitted(holdsText(holds, executors, cluster));
  return listText(form, {
    document: { cluster, holds, executors },
    items: holds,
    table: text,
    wide: text,
    markdown: () => holdsMarkdown(holds, cluster),
  });
}

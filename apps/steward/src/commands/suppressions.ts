import type { Command } from 'commander';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { safeText } from '@ovn-steward/shared/safe-text';
import {
  type Channel,
  channelOf,
  type ChannelOptions,
  withChannel,
  withServer,
} from '../inputs/decisions';
import { followedDecisions } from '../inputs/followed-decisions';
import { deciderText } from '../output/decider-text';
import { type Cells, tableMarkdown } from '../output/columns';
import { type ListForm, outputOptionWithText } from '../inputs/list-form';
import { listText } from '../output/list-forms';
import { fitted } from '../output/terminal';
import { selectorText } from '../output/selector-text';
import { EXIT } from '../process/exit-codes';
import { showList, type ShownList, type WatchedListOptions, withWatch } from './show-list';
import { withOptions } from '../inputs/with-options';

interface SuppressionsOptions extends ChannelOptions, WatchedListOptions {
  readonly output: ListForm;
}

/**
 * `steward suppressions`: what people suppressed or protected, and what the settings switch off.
 */
export function suppressionsCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('suppressions')
      .description('show what is suppressed or protected: what, why, by whom and until when'),
    withChannel,
    withServer,
    withWatch,
  )
    .option('--cluster <name>', 'the cluster it is about')
    .option('--config <file>', 'settings as YAML or JSON; see steward config')
    .addOption(outputOptionWithText())
    .action(async (options: SuppressionsOptions) => {
      const channel = await channelOf(options);
      const decisions = await followedDecisions(channel);
      const read = async (): Promise<ShownList> => ({
        text: textOf(options.output, channel, (await decisions.read()).kept),
        code: EXIT.nothingFound,
      });
      done(await showList({ ...options, pager: false }, read).finally(() => decisions.close()));
    });
}

function textOf(
  form: SuppressionsOptions['output'],
  { cluster, config, server }: Channel,
  kept: readonly Keeping[],
): string {
  // Over HTTP the settings of the server are not known.
  const rules = server === undefined ? config.rules.filter((it) => it.enabled === false) : [];
  const text = (): string =>
    fitted(
      [
        ...(kept.length === 0 ? ['Nothing is suppressed or protected.'] : []),
        ...kept.flatMap(linesOf),
        ...(rules.length === 0
          ? []
          : [
              `The settings switch off ${rules.length} besides (rules): steward config shows them.`,
            ]),
        '',
      ].join('\n'),
    );
  return listText(form, {
    document: { cluster, kept, switchedOff: rules },
    items: kept,
    table: text,
    wide: text,
    markdown: () => tableMarkdown(cells(kept)),
  });
}

const linesOf = ({ kind, selector, reason, at, until, ...decider }: Keeping): readonly string[] => [
  `${kind === 'suppress' ? 'Suppressed' : 'Protected'}: ${safeText(selectorText(selector))}`,
  `  why    ${safeText(reason)}`,
  `  by     ${deciderText(decider)}${at === '' ? '' : `, since ${safeText(at)}`}`,
  `  until  ${until === null ? `somebody ends it with steward un${kind}` : safeText(until)}`,
];

const cells = (kept: readonly Keeping[]): Cells => ({
  head: ['Kind', 'What', 'Why', 'By', 'Since', 'Until'],
  rows: kept.map(({ kind, selector, reason, by, at, until }) => [
    ...[kind, selectorText(selector), reason, by, at, until ?? ''],
  ]),
});

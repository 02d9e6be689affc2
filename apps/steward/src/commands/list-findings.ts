import type { Command } from 'commander';
import { isOpen } from '@ovn-steward/client';
import {
  type Channel,
  channelOf,
  type ChannelOptions,
  withChannel,
  withServer,
} from '../inputs/decisions';
import { chosenFindings, type FindingsFilter, withFindingsFilter } from '../inputs/findings-filter';
import { followedFindings, type KnownNow } from '../inputs/followed-findings';
import { doubtAboutFolder, doubtAboutMemory } from '../inputs/memory-age';
import { doubtAboutSources } from '../inputs/source-doubt';
import { findingsText } from '../output/findings-list';
import { type ListForm, outputOption } from '../inputs/list-form';
import { withPager } from '../output/paged';
import { EXIT } from '../process/exit-codes';
import { showList, type ShownList, type WatchedListOptions } from './show-list';
import { withOptions } from '../inputs/with-options';

export interface ListOptions extends FindingsFilter, ChannelOptions, WatchedListOptions {
  readonly output: ListForm;
  readonly pager?: boolean;
}

/** The options of a list of findings. */
export const withFindingsList = (command: Command): Command =>
  withPager(
    withFindingsFilter(
      withOptions(command, withChannel, withServer)
        .option('--cluster <name>', 'the cluster, where there are several')
        .option('--config <file>', 'settings as YAML or JSON; see steward config'),
    ).addOption(outputOption()),
  );

/**
 * Lists findings, once or again and again, and gives the exit code.
 * @throws Failure as reading does.
 */
export async function listFindings(options: ListOptions): Promise<number> {
  const channel = await channelOf(options);
  const followed = followedFindings(channel);
  try {
    return await showList(options, async () => listed(channel, await followed.read(), options));
  } finally {
    await followed.close();
  }
}

async function listed(channel: Channel, known: KnownNow, options: ListOptions): Promise<ShownList> {
  const chosen = chosenFindings(known.findings, options, new Date());
  const doubt = await doubtOf(channel, known);
  const open = known.findings.filter(isOpen).length;
  const none =
    open > 0
      ? `No finding matches these options. Open in all: ${open}.\n`
      : doubt === undefined
        ? 'No findings.\n'
        : 'No findings are known.\n';
  const empty = doubt === undefined ? EXIT.nothingFound : EXIT.couldNotKnow;
  return {
    text: findingsText(options.output, chosen, none),
    doubt,
    remarks: suppressedIn(known, options),
    code: chosen.some(isOpen) ? EXIT.findings : empty,
  };
}

/**
 * What the status of the sources says is not known; where nobody wrote one, what the age of the
 * changes says.
 */
async function doubtOf(
  channel: Channel,
  { sources, doubt }: KnownNow,
): Promise<string | undefined> {
  const { server, stateDir, cluster } = channel;
  if (doubt !== undefined) return doubt;
  if (sources.length > 0) {
    const where = stateDir ?? `the cluster ${cluster}`;
    return doubtAboutSources(sources, where, Date.now());
  }
  if (server !== undefined) return `${server.url} knows nothing of the cluster ${cluster}.`;
  return stateDir === undefined ? doubtAboutMemory(channel) : doubtAboutFolder(stateDir, undefined);
}

function suppressedIn({ findings }: KnownNow, { state, all }: ListOptions): readonly string[] {
  const suppressed = findings.filter((it) => it.state === 'suppressed').length;
  return suppressed > 0 && state === undefined && all !== true
    ? [
        `${suppressed} more ${suppressed === 1 ? 'is' : 'are'} suppressed: --state suppressed lists them.`,
      ]
    : [];
}

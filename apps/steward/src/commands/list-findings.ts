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
import { secondsOf } from '../inputs/seconds';
import { doubtAboutSources } from '../inputs/source-doubt';
import { findingsText } from '../output/findings-list';
import { isForPeople, type ListForm, outputOption } from '../inputs/list-form';
import { printPaged, withPager } from '../output/paged';
import { printDoubt } from '../output/print-doubt';
import { watchScreen } from '../output/watch-screen';
import { EXIT } from '../process/exit-codes';

export interface ListOptions extends FindingsFilter, ChannelOptions {
  readonly output: ListForm;
  readonly watch?: boolean;
  readonly every: number;
  readonly pager?: boolean;
}

/** The options of a list of findings. */
export const withFindingsList = (command: Command): Command =>
  withPager(
    withFindingsFilter(
      withServer(withChannel(command))
        .option('--cluster <name>', 'the cluster, where there are several')
        .option('--config <file>', 'settings as YAML or JSON; see steward config'),
    )
      .addOption(outputOption())
      .option('--every <seconds>', 'with --watch: how often to read again', secondsOf, 2),
  );

/** Lists findings once and gives the exit code. @throws Failure as reading does. */
export async function listFindings(options: ListOptions): Promise<number> {
  const channel = await channelOf(options);
  const followed = followedFindings(channel);
  try {
    const known = await followed.read();
    const { text, doubt, isAnyOpen } = await listed(channel, known, options);
    if (isForPeople(options.output)) printPaged(text, options);
    else process.stdout.write(text);
    printSuppressed(known, options);
    printDoubt(doubt);
    return isAnyOpen ? EXIT.findings : doubt === undefined ? EXIT.nothingFound : EXIT.couldNotKnow;
  } finally {
    await followed.close();
  }
}

/** Lists findings again and again until the process is interrupted. @throws Failure as reading does. */
export async function watchFindings(options: ListOptions): Promise<number> {
  const channel = await channelOf(options);
  const followed = followedFindings(channel);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  let code: number = EXIT.nothingFound;
  try {
    await watchScreen(
      async () => {
        const { text, doubt, isAnyOpen } = await listed(channel, await followed.read(), options);
        code = isAnyOpen ? EXIT.findings : doubt ? EXIT.couldNotKnow : EXIT.nothingFound;
        return doubt === undefined ? text : `${text}Not known: ${doubt}\n`;
      },
      { everyMs: options.every * 1000, signal: stop.signal },
    );
    return code;
  } finally {
    await followed.close();
  }
}

async function listed(channel: Channel, known: KnownNow, options: ListOptions) {
  const chosen = chosenFindings(known.findings, options, new Date());
  const doubt = await doubtOf(channel, known);
  const none = doubt === undefined ? 'No findings.\n' : 'No findings are known.\n';
  return {
    text: findingsText(options.output, chosen, none),
    doubt,
    isAnyOpen: chosen.some(isOpen),
  };
}

/** What the status of the sources says is not known; where nobody wrote one, what the age of the changes says. */
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

function printSuppressed({ findings }: KnownNow, { state, all }: ListOptions): void {
  const suppressed = findings.filter((it) => it.state === 'suppressed').length;
  if (suppressed > 0 && state === undefined && all !== true)
    process.stderr.write(
      `${suppressed} more ${suppressed === 1 ? 'is' : 'are'} suppressed: --state suppressed lists them.\n`,
    );
}

import { join } from 'node:path';
import type { Command } from 'commander';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { Failure } from '@ovn-steward/shared/errors';
import { EXIT } from '../process/exit-codes';
import { channelOf, type ChannelOptions, withChannel, withServer } from '../inputs/decisions';
import type { HistoryEntry } from '../inputs/history';
import { historyFromDatabase, historyFromLog } from '../inputs/history';
import { ovnFile, sourceTypeOf } from '@ovn-steward/collector';
import { withInputs, withUninstalled } from '../inputs/options';
import { followedFindings } from '../inputs/followed-findings';
import { pickById } from '../inputs/pick-by-id';
import { settingsFrom } from '../inputs/settings';
import { changesAbout } from '../inputs/seen-changes';
import { inputsFrom, unreachableAfter } from '../inputs/sources';
import { printPaged, withPager } from '../output/paged';
import { explanation } from '../output/explanation';
import { fitted } from '../output/terminal';
import { timelineText } from '../output/timeline-text';
import { causeText } from '../timeline/cause-text';
import { relatedTo, withoutOthersAttachments } from '../timeline/related';
import type { SeenChange } from '../timeline/seen-change';
import { timelineOf } from '../timeline/timeline';
import { FILES } from '../inputs/state-files';
import { readWorld } from '../inputs/read-world';
import { recordedChanges } from '../inputs/recorded-changes';
import { withOptions } from '../inputs/with-options';

interface ExplainOptions extends ChannelOptions {
  readonly timeline?: boolean;
  readonly pager?: boolean;
}

/** A finding, and what is known of how it came about. */
interface Explained {
  readonly finding: Finding;
  /** Undefined where it is recorded nowhere that was read. */
  readonly history: readonly HistoryEntry[] | undefined;
  /** Read only where a line of time is wanted. */
  readonly changes: readonly SeenChange[];
}

const TIMEOUT_MS = 120_000;

/**
 * `steward explain <finding>`: the proof, whose the subject is and why, and what is recorded of its
 * past.
 */
export function explainCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('explain <finding>')
      .description('show why something was found; <finding> is an id or the beginning of one'),
    withChannel,
    withServer,
    withInputs,
    withUninstalled,
    withPager,
  )
    .option(
      '--timeline',
      'show what happened to it and around it on one time line, with the change behind each event, and its cause if they show it',
    )
    .addHelpText('after', '\nWithout --ovn-nb, the finding is read from the state of a pipeline.')
    .action(async (id: string, options: ExplainOptions) => {
      const { finding, history, changes } =
        options.ovnNb === undefined
          ? await fromMemory(id, options)
          : await fromSources(id, options);
      const about = RULES.find((it) => it.id === finding.rule)?.about ?? '';
      const timeline = options.timeline
        ? `\n${timelineText(timelineOf(changes), causeText(finding, changes))}`
        : '';
      printPaged(fitted(`${explanation(finding, about, history)}${timeline}`), options);
      done(EXIT.findings);
    });
}

async function fromMemory(id: string, options: ExplainOptions): Promise<Explained> {
  const channel = await channelOf(options);
  const { stateDir, server } = channel;
  if (options.timeline && server !== undefined)
    throw new Failure(
      'config-invalid',
      '--timeline reads changes from the log, which --server does not give: name --state-dir or --kafka-brokers instead',
    );
  const followed = followedFindings(channel);
  const { findings } = await followed.read().finally(() => followed.close());
  const finding = pick(id, findings);
  return {
    finding,
    history:
      stateDir === undefined ? undefined : await historyFromLog(join(stateDir, FILES.log), finding),
    changes: options.timeline
      ? withoutOthersAttachments(
          await changesAbout(finding, { ...channel, cluster: finding.cluster }),
        )
      : [],
  };
}

async function fromSources(id: string, options: ExplainOptions): Promise<Explained> {
  const { config } = settingsFrom(options);
  const seen: Change[] = [];
  const inputs = inputsFrom(options, config, {
    unreachableAfterMs: unreachableAfter(TIMEOUT_MS / 1000),
  });
  const engine = await readWorld(inputs, config, {
    timeoutMs: TIMEOUT_MS,
    ...(options.timeline && { onChanges: (changes) => void seen.push(...changes) }),
  });
  const finding = pick(id, engine.findings());
  const { ovnNb } = options;
  const isFile = ovnNb !== undefined && sourceTypeOf('ovn-nb', ovnNb) === ovnFile;
  const isRelated = relatedTo(finding);
  const recorded =
    options.timeline && !inputs.live ? await recordedChanges(options, config) : undefined;
  return {
    finding,
    history: isFile ? await historyFromDatabase(ovnNb, finding) : undefined,
    changes: withoutOthersAttachments(
      (recorded ?? seen).flatMap((it) =>
        'uid' in it && isRelated(it) ? [{ change: it, position: '' }] : [],
      ),
    ),
  };
}

const pick = (id: string, findings: readonly Finding[]): Finding =>
  pickById(
    id,
    findings,
    'finding',
    'steward findings, or steward audit --output json on the same inputs',
  );

import { type Command, InvalidArgumentError } from 'commander';
import type { ReleaseScore, Score } from '@ovn-steward/judgement/score/score';
import { durationMs } from '@ovn-steward/shared/duration-ms';
import { Failure } from '@ovn-steward/shared/errors';
import { channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { inputsFrom } from '../inputs/sources';
import { colours as pc } from '../output/colours';
import { startProgress } from '../output/progress';
import { writePieces } from '../output/write-pieces';
import { EXIT } from '../process/exit-codes';
import { interrupted } from '../process/interrupted';
import { jsonPieces } from '../report/json-report';
import { markdownText, sectionMarkdown } from '../report/markdown-report';
import { sectionText } from '../report/text-report';
import { scoreConclusion, scoreSections, scoreTitle } from '../score/score-sections';
import { reportOption } from '../inputs/report-option';
import { withOptions } from '../inputs/with-options';

interface ScoreOptions extends ChannelOptions {
  readonly for?: number;
  readonly due?: number;
  readonly output: 'text' | 'markdown' | 'json';
}

/**
 * `steward score`: grades Kube-OVN's own collection by what can be seen of it; needs no right to
 * write.
 */
export function scoreCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('score')
      .description(
        "grade Kube-OVN's own garbage collection by observation: what it missed, how late it was, what it removed though alive",
      ),
    withChannel,
    withInputs,
  )
    .option(
      '--for <duration>',
      'how long to follow living systems (10m, 24h); recordings and logs are read to their end',
      durationOf,
    )
    .option(
      '--due <duration>',
      'how long something may be dead before it is late or missed; by default the grace of its class (grace.garbage, grace.leak)',
      durationOf,
    )
    .addOption(reportOption(['text', 'markdown', 'json']))
    .action(async (options: ScoreOptions) => {
      const { cluster, score } = await read(options);
      await writePieces(FORMS[options.output](score, cluster));
      done(codeOf(score));
    });
}

const FORMS: Readonly<
  Record<ScoreOptions['output'], (score: Score, cluster: string) => Iterable<string>>
> = {
  *text(score, cluster) {
    yield `${pc.bold(scoreTitle(cluster))}\n${scoreConclusion(score)}\n`;
    for (const section of scoreSections(score)) yield* sectionText(section);
  },
  *markdown(score, cluster) {
    yield `# ${markdownText(scoreTitle(cluster))}\n\n${markdownText(scoreConclusion(score))}\n`;
    for (const section of scoreSections(score)) yield* sectionMarkdown(section);
  },
  json: (score, cluster) => jsonPieces({ cluster, ...score }),
};

/** Each way of reading is loaded when it is taken. */
async function read(
  options: ScoreOptions,
): Promise<{ readonly cluster: string; readonly score: Score }> {
  if (options.stateDir !== undefined || options.kafkaBrokers !== undefined) {
    if (options.ovnNb !== undefined || options.for !== undefined)
      throw new Failure(
        'config-invalid',
        'Both a pipeline and something to follow were named: give --state-dir or --kafka-brokers for what a log has, or --ovn-nb, --kubernetes and --for.',
      );
    const channel = await channelOf(options);
    const { scoreLog } = await import('../score/score-log.js');
    return { cluster: channel.cluster, score: await scoreLog(channel, options.due) };
  }
  const { config } = settingsFrom(options);
  const inputs = inputsFrom(options, config);
  if (!inputs.live) {
    const { scoreRecording } = await import('../score/score-recording.js');
    return { cluster: config.cluster, score: await scoreRecording(options, config, options.due) };
  }
  if (options.for === undefined)
    throw new Failure(
      'config-invalid',
      'Living systems show a collection only over time: give how long to follow them, such as --for 1h.',
    );
  const progress = startProgress('followed');
  const stop = interrupted();
  const { scoreLive } = await import('../score/score-live.js');
  const score = await scoreLive(inputs, config, {
    forMs: options.for,
    dueMs: options.due,
    signal: stop.signal,
    onProgress: progress.update,
  }).finally(() => {
    progress.end();
    stop.end();
  });
  return { cluster: config.cluster, score };
}

function durationOf(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined || ms <= 0)
    throw new InvalidArgumentError('give a duration with a unit, such as 30s, 10m or 24h');
  return ms;
}

const isBad = ({ missed, removedAlive, damaged, late }: ReleaseScore): boolean =>
  missed.count + removedAlive.count + damaged.count + late.count > 0;

function codeOf({ from, releases }: Score): number {
  if (from === '') return EXIT.couldNotKnow;
  return releases.some(isBad) ? EXIT.findings : EXIT.nothingFound;
}

import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { GradingAnalyzer, Picture } from '@ovn-steward/analyzer';
import { readingOf, replayRecording, type StreamReading } from '@ovn-steward/collector';
import { liveSystems } from '@ovn-steward/systems/live-systems';
import { exitCodeOf } from '../process/exit-codes';
import { interrupted } from '../process/interrupted';
import type { Score } from '@ovn-steward/judgement/score/score';
import { keepHeapClose } from '@ovn-steward/shared/heap-growth';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Serving } from '../http/serve';
import { heardUntil } from '../inputs/heard-until';
import type { InputOptions } from '../inputs/options';
import { withInputs, withUninstalled } from '../inputs/options';
import { isKubeconfig } from '@ovn-steward/systems/kubernetes/is-kubeconfig';
import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';
import { settingsFrom } from '../inputs/settings';
import type { Inputs } from '../inputs/sources';
import { inputsFrom } from '../inputs/sources';
import { runPipeline } from '../http/pipeline';
import { RunPrinter } from '../output/run-printer';
import { secondsOf } from '../inputs/seconds';
import { reportOption } from '../inputs/report-option';
import { withOptions } from '../inputs/with-options';

interface RunOptions extends InputOptions {
  readonly stateDir?: string;
  readonly output: 'text' | 'ndjson';
  readonly replay?: boolean;
  readonly speed: number;
  readonly untilQuiet?: number;
  /** True when given without an address. */
  readonly listen?: string | true;
}

/**
 * `steward run`: collector, log, analyzer and executor in one process, printing findings as they
 * change, until interrupted.
 */
export function runCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('run')
      .description('follow the sources and report findings as they come and go'),
    withInputs,
    withUninstalled,
  )
    .option('--state-dir <folder>', 'the folder for the log and all state')
    .addOption(reportOption(['text', 'ndjson']))
    .option('--replay', 'replay the recorded watch from its beginning instead of only its end')
    .option(
      '--speed <factor>',
      'after the end of a recording, its clock continues this many times faster than ours',
      factorOf,
      1,
    )
    .option(
      '--until-quiet <duration>',
      'end when everything was read and nothing changed for this long',
      secondsOf,
    )
    .option(
      '--listen [address]',
      'serve health, metrics and findings over HTTP, on host:port or, without it, on http.listen; also enabled by http.listen',
    )
    .action(async (options: RunOptions) => done(await run(options)));
}

function factorOf(text: string): number {
  const factor = Number(text);
  if (!Number.isFinite(factor) || factor <= 0)
    throw new InvalidArgumentError('give a number greater than 0');
  return factor;
}

/** @returns the exit code. */
async function run({ listen, ...options }: RunOptions): Promise<number> {
  keepHeapClose();
  const { config, effective } = settingsFrom({
    ...options,
    ...(typeof listen === 'string' ? { listen } : {}),
  });
  const listening =
    listen === true || effective.some((it) => it.path === 'http.listen' && it.origin !== 'default');
  const printer = new RunPrinter(options.output);
  const report: RunPrinter['report'] = (source, message) => printer.report(source, message);
  const inputs = inputsFrom(options, config, {
    replay: options.replay ? 'watch' : 'final',
    report,
  });
  const reading = readingOf(inputs.sources);
  const stop = stopper(options.untilQuiet, () => reading.streams().every(hasAnswered));
  const time = inputs.live
    ? { sources: reading.sources, clock: () => new Date(), speed: 1 }
    : {
        ...replayRecording(reading.sources, options.speed, heardUntil(config.stateDir)),
        speed: options.speed,
      };
  const nothing = createEngine(config);
  let analyzer: GradingAnalyzer | undefined;
  const picture = (): Picture => analyzer?.picture(config.cluster) ?? nothing;
  const score = (): Score | undefined => analyzer?.score(config.cluster);
  let serving: Serving | undefined;
  const systems =
    inputs.live && !options.replay ? livingSystems(options, config, report) : undefined;
  await runPipeline(
    {
      settings: config,
      ...time,
      ...(systems && { systems }),
      notifies: notifiesOf(inputs, options, config, report),
      onExecutor: (event) => {
        printer.executor(event);
        if (event.type === 'action') stop.moved();
      },
      onStart: async (started) => {
        analyzer = started;
        return (serving = listening
          ? await served({ picture, score, config, inputs, report, ...time })
          : undefined);
      },
      onSourceTrouble: report,
      onChanges: stop.moved,
      onFindings: (findings) => {
        stop.moved();
        printer.findings(findings);
      },
    },
    afterwards(stop.signal, async () => serving?.close()),
  ).finally(async () => {
    await serving?.close();
    await systems?.close();
  });
  stop.end();
  const open = picture().findings();
  const unknowns = picture().unknowns();
  printer.ending(open, unknowns, config.stateDir);
  return exitCodeOf(open, unknowns);
}

interface ServedBeside {
  readonly picture: () => Picture;
  readonly score: () => Score | undefined;
  readonly config: Settings;
  readonly inputs: Inputs;
  readonly report: (source: string, message: string) => void;
  readonly clock: () => Date;
  readonly speed: number;
}

/** Loads what serves HTTP, which costs a quarter of a second, and starts it. */
async function served({
  picture,
  score,
  config,
  inputs,
  report,
  clock,
  speed,
}: ServedBeside): Promise<Serving> {
  const { serve } = await import('../http/serve.js');
  const serving = await serve({
    listen: config.http.listen,
    probes: config.http.probes,
    cluster: config.cluster,
    picture,
    score,
    sources: inputs.sources,
    streams: inputs.streams,
    clock,
    speed,
    onError: (message) => report('http', message),
    settings: config,
  });
  process.stderr.write(
    `Listening on ${serving.url}\nProbes on ${serving.probes}\n${serving.metrics === undefined ? '' : `Metrics on ${serving.metrics}\n`}`,
  );
  return serving;
}

/** Fires after the signal, once what comes first is done, well or not. */
function afterwards(signal: AbortSignal, first: () => Promise<void>): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener(
    'abort',
    () => {
      first().then(
        () => controller.abort(),
        () => controller.abort(),
      );
    },
    { once: true },
  );
  return controller.signal;
}

/** Whether people are notified: not of a recording, which would wake them for what is long over. */
function notifiesOf(
  { live }: Inputs,
  { replay }: RunOptions,
  { notify }: Settings,
  report: (source: string, message: string) => void,
): boolean {
  const notifies = live && !replay;
  if (!notifies && Object.keys(notify.sinks).length > 0)
    report('notify', 'A recording causes no notifications');
  return notifies;
}

/** What may be acted on: nothing where a part of what is read is a recording. */
function livingSystems(
  options: RunOptions,
  config: Settings,
  report: (source: string, message: string) => void,
): ReturnType<typeof liveSystems> | undefined {
  const kubeconfig = options.kubernetes ?? config.kubernetes.kubeconfig;
  if (
    config.ovnNb.remote === undefined ||
    (options.ovnNb !== undefined && !isOvsdbRemote(options.ovnNb)) ||
    (kubeconfig !== undefined && !isKubeconfig(kubeconfig))
  )
    return undefined;
  return liveSystems(
    {
      ovnNb: config.ovnNb,
      kubernetes: { ...config.kubernetes, ...(kubeconfig === undefined ? {} : { kubeconfig }) },
    },
    { onTrouble: (message) => report('ovn-nb', message) },
  );
}

/** Whether it is known of a stream that it was read, or why it was not. */
const hasAnswered = ({ state }: StreamReading): boolean =>
  state !== 'silent' && state !== 'reading';

/**
 * Ends when interrupted, and after `quietSeconds` in which nothing moved. Before everything was
 * read, nothing is quiet: it is slow.
 */
function stopper(
  quietSeconds: number | undefined,
  hasRead: () => boolean,
): {
  signal: AbortSignal;
  moved(): void;
  end(): void;
} {
  const interrupt = interrupted();
  const quiet = new AbortController();
  // A run that fails must not wait for its timer; one that goes on has more that keeps the process
  // alive.
  const timer =
    quietSeconds === undefined
      ? undefined
      : setInterval(() => hasRead() && quiet.abort(), quietSeconds * 1000).unref();
  return {
    signal: AbortSignal.any([interrupt.signal, quiet.signal]),
    moved: () => {
      timer?.refresh();
    },
    end: () => {
      clearInterval(timer);
      interrupt.end();
    },
  };
}

import type { Command } from 'commander';
import pc from 'picocolors';
import type { Analyzer } from '@ovn-steward/analyzer';
import { playOn } from '@ovn-steward/collector';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { EXIT } from '../exit-codes';
import type { InputOptions } from '../inputs/options';
import { withInputs } from '../inputs/options';
import { settingsFrom } from '../inputs/settings';
import { inputsFrom } from '../inputs/sources';
import { safeText } from '../output/safe-text';
import { runPipeline } from '../pipeline';
import { secondsOf } from './seconds';

interface RunOptions extends InputOptions {
  readonly stateDir?: string;
  readonly output: 'text' | 'ndjson';
  readonly replay?: boolean;
  readonly speed: number;
  readonly untilQuiet?: number;
}

const STATE = { suspected: pc.yellow, confirmed: pc.red, resolved: pc.green } as const;

/** `steward run`: collector, log and analyzer in one process, printing findings as they change, until interrupted. */
export function runCommand(program: Command, done: (code: number) => void): void {
  withInputs(program.command('run').description('follow the sources and report findings as they come and go'))
    .option('--state-dir <folder>', 'where the log and all memory is kept')
    .option('--output <form>', 'text or ndjson', 'text')
    .option('--replay', 'play the recorded watch from its beginning instead of only its end')
    .option('--speed <factor>', 'after a recording ends its clock goes on, this many times faster than ours', secondsOf, 1)
    .option('--until-quiet <seconds>', 'end when nothing changed for so long', secondsOf)
    .action(async (options: RunOptions) => {
      const { config } = settingsFrom(options);
      const stop = stopper(options.untilQuiet);
      let said = '';
      const note = (source: string, message: string): void => {
        if (said !== message) process.stderr.write(`${source}: ${safeText(message, 500)}\n`);
        said = message;
      };
      const inputs = inputsFrom(options, config, { replay: options.replay ? 'watch' : 'final', note });
      let analyzer: Analyzer | undefined;
      await runPipeline({
        settings: config,
        ...(inputs.live ? { sources: inputs.sources, clock: () => new Date() } : playOn(inputs.sources, options.speed)),
        onStart: (it) => { analyzer = it; },
        onSourceTrouble: note,
        onFindings: (findings) => {
          stop.moved();
          for (const it of findings) process.stdout.write(options.output === 'ndjson' ? `${JSON.stringify(it)}\n` : `${line(it)}\n`);
        },
      }, stop.signal);
      stop.end();
      const open = analyzer?.findings() ?? [];
      if (options.output === 'text') process.stdout.write(ending(open, config.stateDir));
      done(open.length > 0 ? EXIT.findings : EXIT.nothingFound);
    });
}

const line = (it: Finding): string => `${STATE[it.state](it.state.padEnd(9))} ${pc.dim(it.id.slice(0, 10))} ${it.rule}: ${safeText(it.summary)}`;

function ending(open: readonly Finding[], stateDir: string): string {
  const confirmed = open.filter((it) => it.state === 'confirmed').length;
  return `\n${open.length} findings stand, ${confirmed} of them confirmed. Nothing was changed.\nNext: steward findings --state-dir ${stateDir}, or steward explain <id> --state-dir ${stateDir}\n`;
}

/** Ends on SIGINT, SIGTERM, or when nothing moved for a while. */
function stopper(quietSeconds: number | undefined): { signal: AbortSignal; moved(): void; end(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  const timer = quietSeconds === undefined ? undefined : setTimeout(abort, quietSeconds * 1000);
  return {
    signal: controller.signal,
    moved: () => timer?.refresh(),
    end: () => {
      clearTimeout(timer);
      process.off('SIGINT', abort);
      process.off('SIGTERM', abort);
    },
  };
}

import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { actionOf, createProver, type Plan, readPlan, type Systems, verifyPlan } from '@ovn-steward/executor';
import { protectionOf } from '@ovn-steward/judgement/protection';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Action } from '@ovn-steward/shared/events/action';
import { carriedOut, ripened } from '../apply/carry-out';
import { EXIT } from '../exit-codes';
import { type Channel, channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { withSystems } from '../inputs/systems';
import { interrupted } from '../interrupted';
import { decidedText, outcomeText } from '../output/outcome-text';
import { entryText } from '../output/plan-summary';
import { type Progress, startProgress } from '../output/progress';

interface ApplyCommandOptions extends ChannelOptions {
  readonly wait?: boolean;
  readonly overCeilings?: boolean;
  readonly dryRun?: boolean;
  readonly output: 'text' | 'json';
}

/** `steward apply`: has a plan carried out that somebody read, if it still is about what it was made of. */
export function applyCommand(program: Command, done: (code: number) => void): void {
  withChannel(withInputs(program.command('apply <file>').description('have a plan carried out, by the executor that runs or, where none does, by this process; refused as a whole when it was edited, is over, is for other systems, or anything in it has moved')))
    .option('--by <name>', 'who wants it; recorded. Who signed the plan, else you as user@host, unless told')
    .option('--wait', 'wait until all of it is ripe, and for what is put off')
    .option('--over-ceilings', 'also where it goes beyond the executor\'s ceilings')
    .option('--dry-run', 'hold the plan against the systems and do nothing')
    .addOption(new Option('--output <form>', 'how to report').choices(['text', 'json']).default('text'))
    .action(async (file: string, options: ApplyCommandOptions) => {
      const plan = readPlan(textOf(file), file);
      const channel = channelOf({ ...(plan.signedBy === undefined ? {} : { by: plan.signedBy }), ...options });
      const stop = interrupted();
      const progress = startProgress('held against the systems');
      try {
        await withSystems(options, channel.config, async (systems) => {
          if (!options.dryRun) await ripened(plan, options.wait ?? false, stop.signal);
          await verify(plan, channel, systems, stop.signal, progress);
          if (options.dryRun) return done(dryRun(plan, options));
          const tell = (it: Action): void => void (options.output === 'text' && it.state !== 'claimed' && process.stdout.write(`${decidedText(it)}\n`));
          const actions = await carriedOut(plan, channel, systems, { overCeilings: options.overCeilings ?? false, wait: options.wait ?? false }, { signal: stop.signal, onAction: tell, note: progress.note });
          process.stdout.write(options.output === 'json' ? `${JSON.stringify({ plan: plan.id, cluster: plan.cluster, interrupted: stop.signal.aborted, actions }, null, 2)}\n` : outcomeText(plan, actions, stop.signal.aborted));
          done(actions.length === plan.entries.length && actions.every((it) => it.state === 'done') ? EXIT.nothingFound : EXIT.findings);
        });
      } finally {
        progress.end();
        stop.end();
      }
    });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('input-not-found', `The plan ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function verify(plan: Plan, { cluster, config }: Channel, systems: Systems, signal: AbortSignal, { update }: Progress): Promise<void> {
  const prover = createProver({ cluster, systems, isProtected: protectionOf(config.protect) });
  return verifyPlan(plan, { cluster, systems, prover, actionOf, now: () => new Date(), signal, onProgress: update });
}

function dryRun({ entries, id, cluster }: Plan, { output }: ApplyCommandOptions): number {
  process.stdout.write(output === 'json'
    ? `${JSON.stringify({ plan: id, cluster, dryRun: true, entries }, null, 2)}\n`
    : `${entries.map((it) => `${entryText(it)}\n`).join('')}\nThe plan holds: ${entries.length} would be done, in this order. Nothing was done.\n`);
  return entries.length > 0 ? EXIT.findings : EXIT.nothingFound;
}

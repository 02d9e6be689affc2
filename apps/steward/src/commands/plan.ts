import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { foreseenText, type Plan, planText } from '@ovn-steward/executor';
import { Duration } from '@ovn-steward/shared/settings/duration';
import { Failure } from '@ovn-steward/shared/errors';
import { whyUnwritable } from '@ovn-steward/shared/file-trouble';
import { PRIVATE_FILE } from '@ovn-steward/shared/private-files';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { channelOf, withChannel } from '../inputs/decisions';
import { withInputs, withUninstalled } from '../inputs/options';
import { withSystems } from '../inputs/systems';
import { interrupted } from '../process/interrupted';
import { planSummary } from '../output/plan-summary';
import { startProgress } from '../output/progress';
import { printDoubt } from '../output/print-doubt';
import { foreseen } from '../plan/foresight';
import {
  checkPlanRequest,
  exitCodeOfPlan,
  makePlan,
  type PlanRequest,
  withPlanOptions,
} from '../plan/make-plan';
import { reportOption } from '../inputs/report-option';
import { indentedJson } from '@ovn-steward/shared/indented-json';
import { withOptions } from '../inputs/with-options';

interface PlanOptions extends PlanRequest {
  readonly validFor: number;
  readonly out?: string;
  readonly output: 'text' | 'json';
}

/**
 * `steward plan`: what would be removed now, proven on the living systems, as a file that a person
 * can read and sign off; nothing is changed.
 */
export function planCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('plan')
      .description(
        'write a plan of what would be removed, why, and in which order, to read and then apply; changes nothing',
      ),
    withInputs,
    withUninstalled,
    withChannel,
    withPlanOptions,
  )
    .addOption(
      new Option('--valid-for <duration>', 'how long it can be applied')
        .argParser(durationOf)
        .default(86_400_000, '24h'),
    )
    .option(
      '--out <file>',
      'where to write the plan, which must not exist; on standard output by default',
    )
    .addOption(reportOption())
    .action(async (options: PlanOptions) => done(await planNow(options)));
}

/** @returns the exit code. */
async function planNow(options: PlanOptions): Promise<number> {
  checkPlanRequest(options);
  if (options.out !== undefined && existsSync(options.out))
    throw new Failure(
      'config-invalid',
      `${options.out} exists: name another file, or move it away`,
    );
  if (options.out !== undefined) requireWritable(options.out);
  const channel = await channelOf(options);
  const progress = startProgress('checked');
  const stop = interrupted();
  const { signal } = stop;
  const { plan, doubt, lines } = await withSystems(options, channel.config, async (systems) => {
    const { plan, doubt } = await makePlan(channel, options, systems, {
      validMs: options.validFor,
      progress,
      signal,
    });
    const ahead = await foreseen(plan, channel, systems, { overCeilings: false, signal });
    return { plan, doubt, lines: foreseenText(ahead) };
  }).finally(() => {
    progress.end();
    stop.end();
  });
  report(plan, { lines, doubt }, options, channel.config);
  printDoubt(doubt);
  return exitCodeOfPlan(plan, doubt);
}

/**
 * Before everything is proven, which takes minutes in a large cluster.
 * @throws Failure `config-invalid` where its folder takes no file.
 */
function requireWritable(out: string): void {
  try {
    accessSync(dirname(out), constants.W_OK);
  } catch (error) {
    throw unwritable(out, error);
  }
}

const unwritable = (out: string, error: unknown): Failure =>
  new Failure('config-invalid', `${out} cannot be written: ${whyUnwritable(error)}.`, {
    cause: error,
  });

function report(
  plan: Plan,
  { lines, doubt }: { readonly lines: readonly string[]; readonly doubt: string | undefined },
  { out, output }: PlanOptions,
  { executor: { rate } }: Settings,
): void {
  const text = planText(
    plan,
    `At most ${rate.perSecond} a second are done, and ${rate.burst} at once (executor.rate of who carries it out), within its ceilings, windows and holds.`,
    lines,
  );
  if (out !== undefined) {
    try {
      writeFileSync(out, text, { flag: 'wx', mode: PRIVATE_FILE });
    } catch (error) {
      throw unwritable(out, error);
    }
  }
  if (output === 'json') {
    process.stdout.write(indentedJson(plan));
    process.stderr.write(lines.map((it) => `${it}\n`).join(''));
  } else if (out === undefined) process.stdout.write(text);
  else process.stdout.write(planSummary(plan, { foreseen: lines, doubt, file: out }));
}

function durationOf(text: string): number {
  const { data } = Duration.safeParse(text);
  if (data === undefined || data === 0)
    throw new InvalidArgumentError('give a duration, such as 30m, 8h or 2d');
  return data;
}

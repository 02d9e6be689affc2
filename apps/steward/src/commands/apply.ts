import { readFileSync } from 'node:fs';
import { proverFor } from '../plan/prover-for';
import type { Command } from 'commander';
import {
  actionOf,
  entryText,
  type Foreseen,
  foreseenText,
  type Plan,
  readPlan,
  verifyPlan,
} from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { carriedOut, refuseUnripe, untilRipe } from '../apply/carry-out';
import { EXIT } from '../process/exit-codes';
import { confirmed } from '../inputs/confirmed';
import { type Channel, channelOf, withChannel } from '../inputs/decisions';
import { withInputs, withUninstalled } from '../inputs/options';
import { type TakeOverOptions, withSystems, withTakeOver } from '../inputs/systems';
import { interrupted } from '../process/interrupted';
import { decidedText, outcomeText } from '../output/outcome-text';
import { planSummary } from '../output/plan-summary';
import { type Progress, startProgress } from '../output/progress';
import { printDoubt } from '../output/print-doubt';
import { foreseen } from '../plan/foresight';
import {
  checkPlanRequest,
  exitCodeOfPlan,
  makePlan,
  type PlanRequest,
  requestsAnything,
  withPlanOptions,
} from '../plan/make-plan';
import { reportOption } from '../inputs/report-option';
import { indentedJson } from '@ovn-steward/shared/indented-json';
import { withOptions } from '../inputs/with-options';

interface ApplyCommandOptions extends PlanRequest, TakeOverOptions {
  readonly wait?: boolean;
  readonly overCeilings?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly output: 'text' | 'json';
}

/** A plan that is made here is applied at once. */
const VALID_MS = 3_600_000;

/**
 * `steward apply`: has a plan carried out that a person read, if it still is about what it was made
 * of; without a file, makes one, shows it and requests confirmation.
 */
export function applyCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('apply [file]')
      .description(
        'have a plan carried out by the running executor or, without one, by this process; refused as a whole if anything in it changed. Without a file: make a plan, show it and ask',
      ),
    withInputs,
    withUninstalled,
    withChannel,
    withPlanOptions,
    withTakeOver,
  )
    .option(
      '--by <name>',
      'who applies it; recorded. Who signed the plan, else you as user@host, by default',
    )
    .option('--yes', 'without a file: carry out what is planned without asking')
    .option(
      '--wait',
      'wait for the grace of every entry, prove again and continue; also wait for deferred entries',
    )
    .option('--over-ceilings', "even over the executor's ceilings")
    .option('--dry-run', 'compare the plan with the systems and do nothing')
    .addOption(reportOption())
    .action(async (file: string | undefined, options: ApplyCommandOptions) =>
      done(await apply(file, options)),
    );
}

/** @returns the exit code. */
async function apply(file: string | undefined, options: ApplyCommandOptions): Promise<number> {
  checkPlanRequest(options);
  if (file !== undefined && requestsAnything(options))
    throw new Failure(
      'config-invalid',
      `The plan ${file} says what is done: leave out what would choose it, or leave out the file to have a plan made now.`,
    );
  const read = file === undefined ? undefined : readPlan(textOf(file), file);
  const channel = await channelOf({
    ...(read?.signedBy === undefined ? {} : { by: read.signedBy }),
    ...options,
  });
  const stop = interrupted();
  const progress = startProgress('proven on the systems');
  try {
    const around = { channel, signal: stop.signal, progress };
    return await withSystems(options, channel.config, (systems) =>
      applied(read, options, { ...around, systems }),
    );
  } finally {
    progress.end();
    stop.end();
  }
}

interface Applying {
  readonly channel: Channel;
  readonly systems: Systems;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** @param read the plan of the file; without it one is made now. @returns the exit code. */
async function applied(
  read: Plan | undefined,
  options: ApplyCommandOptions,
  { channel, systems, signal, progress }: Applying,
): Promise<number> {
  const { plan, doubt } = read
    ? { plan: read, doubt: undefined }
    : await makePlan(channel, options, systems, {
        validMs: VALID_MS + Math.max(...Object.values(channel.config.grace)),
        progress,
        signal,
      });
  printDoubt(doubt);
  if (read && !options.dryRun && !options.wait) refuseUnripe(plan, 'file');
  const overCeilings = options.overCeilings ?? false;
  const ahead = (): Promise<readonly Foreseen[]> =>
    foreseen(plan, channel, systems, { overCeilings, signal });
  if (!read && !(await isConfirmed(plan, doubt, ahead, options)))
    return exitCodeOfPlan(plan, doubt);
  if (!options.dryRun) await untilRipe(plan, signal);
  await verify(plan, channel, systems, signal, progress);
  if (options.dryRun) return dryRun(plan, await ahead(), options);
  return carryOut(plan, channel, systems, options, { signal, report: progress.report });
}

/**
 * Whether the person wants what was planned just now, and has seen it.
 * @throws Failure `plan-unripe` before the confirmation, where it could not be done.
 */
async function isConfirmed(
  plan: Plan,
  doubt: string | undefined,
  ahead: () => Promise<readonly Foreseen[]>,
  { output, yes, dryRun, wait }: ApplyCommandOptions,
): Promise<boolean> {
  if (dryRun) return plan.entries.length > 0;
  if (output === 'text')
    process.stdout.write(planSummary(plan, { foreseen: foreseenText(await ahead()), doubt }));
  if (!wait) refuseUnripe(plan, 'none');
  const isWanted =
    plan.entries.length > 0 &&
    (await confirmed(
      yes ? { yes } : {},
      `Carry out ${plan.entries.length === 1 ? 'it' : `all ${plan.entries.length}`}?`,
    ));
  if (!isWanted && plan.entries.length > 0)
    process.stderr.write(
      'Nothing was done. To have it done, run the command again with --yes, or write the plan to a file for review: steward plan --out <file>.\n',
    );
  if (!isWanted && output === 'json')
    process.stdout.write(
      indentedJson({ plan: plan.id, cluster: plan.cluster, interrupted: false, actions: [] }),
    );
  return isWanted;
}

/** @returns the exit code. */
async function carryOut(
  plan: Plan,
  channel: Channel,
  systems: Systems,
  { overCeilings = false, wait = false, output }: ApplyCommandOptions,
  { signal, report }: { readonly signal: AbortSignal; readonly report: Progress['report'] },
): Promise<number> {
  const onAction = (action: ActionRecord): void =>
    void (
      output === 'text' &&
      action.state !== 'claimed' &&
      process.stdout.write(`${decidedText(action)}\n`)
    );
  const actions = await carriedOut(
    plan,
    channel,
    systems,
    { overCeilings, wait },
    { signal, onAction, report },
  );
  process.stdout.write(
    output === 'json'
      ? indentedJson({ plan: plan.id, cluster: plan.cluster, interrupted: signal.aborted, actions })
      : outcomeText(plan, actions, signal.aborted, channel.options),
  );
  return actions.length === plan.entries.length && actions.every((it) => it.state === 'done')
    ? EXIT.nothingFound
    : EXIT.findings;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(
      'input-not-found',
      `The plan ${file} ${
        (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? 'does not exist: check the path, or make one with steward plan --out'
          : `cannot be read: ${messageOf(error)}`
      }`,
      {
        cause: error,
      },
    );
  }
}

function verify(
  plan: Plan,
  channel: Channel,
  systems: Systems,
  signal: AbortSignal,
  { update }: Progress,
): Promise<void> {
  return verifyPlan(plan, {
    cluster: channel.cluster,
    systems,
    prover: proverFor(channel, systems),
    actionOf,
    now: () => new Date(),
    signal,
    onProgress: update,
  });
}

/** @returns the exit code: whether anything would be done. */
function dryRun(
  { entries, id, cluster }: Plan,
  ahead: readonly Foreseen[],
  { output }: ApplyCommandOptions,
): number {
  const removed = ahead.filter(({ stays }) => stays === undefined).map(({ entry }) => entry);
  process.stdout.write(
    output === 'json'
      ? indentedJson({
          plan: id,
          cluster,
          dryRun: true,
          entries,
          wouldDo: removed.map((it) => it.id),
          wouldNotDo: ahead.flatMap(notNow),
        })
      : `${[...removed.map(entryText), '', `The plan holds: ${removed.length} would be done now, in this order.`, ...foreseenText(ahead), 'Nothing was done.'].join('\n')}\n`,
  );
  return entries.length > 0 ? EXIT.findings : EXIT.nothingFound;
}

const notNow = ({ entry, stays }: Foreseen): readonly object[] =>
  stays === undefined
    ? []
    : [
        {
          id: entry.id,
          code: stays.code,
          reason: stays.reason,
          until: stays.until === undefined ? null : new Date(stays.until).toISOString(),
        },
      ];

import type { Command } from 'commander';
import { actionOf, buildPlan, type Plan, type Proposal } from '@ovn-steward/executor';
import type { Systems } from '@ovn-steward/systems/systems';
import { counted } from '@ovn-steward/shared/counted';
import { proverFor } from '../plan/prover-for';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { type ActionRecord, isCarriedOut } from '@ovn-steward/contracts/actions/action';
import { carriedOut, untilRipe } from '../apply/carry-out';
import { agreed } from '../doctor/agreed';
import { type Diagnosis, diagnose, type DoctorTarget, doctorTargetOf } from '../doctor/diagnosis';
import { free, type Freed, type FreeingSteps } from '../doctor/free';
import { uninstalledHint } from '../doctor/uninstalled-hint';
import { EXIT } from '../process/exit-codes';
import { type Channel, channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { withInputs, withUninstalled } from '../inputs/options';
import { inputsFrom, unreachableAfter } from '../inputs/sources';
import { type TakeOverOptions, withSystems, withTakeOver } from '../inputs/systems';
import { interrupted } from '../process/interrupted';
import { doctorDocument } from '../doctor/doctor-json';
import { doctorText } from '../doctor/doctor-text';
import { decidedText } from '../output/outcome-text';
import { startProgress } from '../output/progress';
import { undoHint } from '../output/undo-hint';
import { readWorld } from '../inputs/read-world';
import { secondsOption } from '../inputs/seconds';
import { reportOption } from '../inputs/report-option';
import { indentedJson } from '@ovn-steward/shared/indented-json';
import { withOptions } from '../inputs/with-options';

interface DoctorOptions extends ChannelOptions, TakeOverOptions {
  readonly free?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly overCeilings?: boolean;
  readonly output: 'text' | 'json';
  readonly timeout: number;
}

/** A plan of one round is applied at once. */
const VALID_MS = 3_600_000;

/**
 * `steward doctor`: what a deletion waits for, and in which order it comes free; with --free, done.
 */
export function doctorCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('doctor [what...]')
      .description(
        'show what a hanging deletion waits for, and in which order to free it; <what> is <kind>/<name>, such as subnet/apps; without it, everything that hangs',
      ),
    withInputs,
    withUninstalled,
    withChannel,
    withTakeOver,
  )
    .option(
      '--free',
      'do the steps that can be proven, round by round; at a terminal, show each round and ask first',
    )
    .option('--yes', 'with --free: do not ask, even at a terminal')
    .option('--dry-run', 'with --free: show what the first round would do, and do nothing')
    .option('--by <name>', 'who decides; recorded. You, as user@host, by default')
    .option('--over-ceilings', "even over the executor's ceilings")
    .addOption(reportOption())
    .addOption(secondsOption('--timeout <duration>', 'how long reading the sources may take', 120))
    .action(async (what: readonly string[], options: DoctorOptions) => {
      const targets = what.map(doctorTargetOf);
      const channel = await channelOf(options);
      const readEngine = (): Promise<Engine> => observe(channel, options);
      if (options.free) return done(await freed(targets, channel, options, readEngine));
      const engine = await readEngine();
      const diagnosis = diagnose(engine, targets);
      process.stdout.write(
        options.output === 'json'
          ? indentedJson(doctorDocument(diagnosis))
          : doctorText(diagnosis, nowOf(engine)),
      );
      done(codeOf(diagnosis));
    });
}

async function observe({ config, cluster }: Channel, options: DoctorOptions): Promise<Engine> {
  const progress = startProgress('read');
  return readWorld(
    inputsFrom(options, config, {
      report: progress.report,
      unreachableAfterMs: unreachableAfter(options.timeout),
    }),
    { ...config, cluster },
    { timeoutMs: options.timeout * 1000, onProgress: progress.update },
  ).finally(progress.end);
}

/** When the objects were seen: of a recording, when it was taken. */
function nowOf(engine: Engine): Date {
  const seen = engine
    .streams()
    .filter((it) => it.source === 'kubernetes')
    .map((it) => it.observedThrough)
    .filter((it) => it !== '')
    .sort()
    .at(-1);
  return seen === undefined ? new Date() : new Date(seen);
}

const codeOf = ({ trees, missing, unknown }: Diagnosis): number =>
  trees.length > 0
    ? EXIT.findings
    : missing.length + unknown.length > 0
      ? EXIT.couldNotKnow
      : EXIT.nothingFound;

/** @returns the exit code. */
async function freed(
  targets: readonly DoctorTarget[],
  channel: Channel,
  options: DoctorOptions,
  readEngine: () => Promise<Engine>,
): Promise<number> {
  const stop = interrupted();
  const { signal } = stop;
  const progress = startProgress('proven on the systems');
  const print = (text: string): void =>
    void (options.output === 'text' && process.stdout.write(text));
  try {
    return await withSystems(options, channel.config, async (systems) => {
      let last: Engine | undefined;
      const steps: FreeingSteps = {
        observe: async () => (last = await readEngine()),
        plan: (proposals) => planRound(proposals, channel, systems, signal),
        agreed: (round, plan, diagnosis) => agreed(round, plan, diagnosis, options),
        apply: (plan) =>
          applyRound(plan, channel, options, { systems, signal, print, report: progress.report }),
      };
      const became = await free(targets, targets.length === 0, steps, signal);
      process.stdout.write(
        options.output === 'text'
          ? freedText(became, options)
          : indentedJson(freedDocument(became, signal.aborted)),
      );
      if (options.output === 'text' && last !== undefined && !signal.aborted) {
        // That it cannot be given changes nothing about what was done.
        const hint = await uninstalledHint(last, systems, signal).catch(() => undefined);
        if (hint !== undefined) print(`${hint}\n`);
      }
      return codeOf(became.diagnosis);
    });
  } finally {
    progress.end();
    stop.end();
  }
}

const planRound = (
  proposals: readonly Proposal[],
  channel: Channel,
  systems: Systems,
  signal: AbortSignal,
): Promise<Plan> =>
  buildPlan({
    proposals,
    graceOf: (of) => channel.config.grace[of],
    prover: proverFor(channel, systems),
    systems,
    actionOf,
    cluster: channel.cluster,
    now: () => new Date(),
    validMs: VALID_MS + Math.max(...Object.values(channel.config.grace)),
    signal,
  });

async function applyRound(
  plan: Plan,
  channel: Channel,
  options: DoctorOptions,
  {
    systems,
    signal,
    print,
    report,
  }: {
    readonly systems: Systems;
    readonly signal: AbortSignal;
    readonly print: (text: string) => void;
    readonly report: ReturnType<typeof startProgress>['report'];
  },
): Promise<readonly ActionRecord[]> {
  await untilRipe(plan, signal);
  const onAction = (action: ActionRecord): void =>
    void (action.state !== 'claimed' && print(`  ${decidedText(action)}\n`));
  const actions = await carriedOut(
    plan,
    channel,
    systems,
    { overCeilings: options.overCeilings ?? false, wait: false },
    { signal, onAction, report },
  );
  // At once, also beside JSON: a later round may fail before the document is written.
  if (actions.some(isCarriedOut))
    (options.output === 'text' ? process.stdout : process.stderr).write(
      `  To undo this round: ${undoHint(plan.id, options)}\n`,
    );
  return actions;
}

/** The tree was shown already where a person declined the first round. */
function freedText(
  { diagnosis, actions, rounds, declined }: Freed,
  { dryRun }: DoctorOptions,
): string {
  const count = actions.filter(isCarriedOut).length;
  const done = `${count} done in ${counted(rounds, 'round')}.`;
  if (declined === undefined) return `${done}\n\n${doctorText(diagnosis, new Date())}`;
  return dryRun
    ? 'Nothing was done. Later rounds depend on this one and cannot be shown yet.\n'
    : `${done} Round ${rounds} was not carried out. Run the command again and confirm it, or add --yes.\n`;
}

const freedDocument = (
  { diagnosis, actions, rounds, plans, declined }: Freed,
  isInterrupted: boolean,
) => ({
  ...doctorDocument(diagnosis),
  rounds,
  interrupted: isInterrupted,
  plans,
  actions,
  ...(declined && { declined: { plan: declined.id, entries: declined.entries } }),
});

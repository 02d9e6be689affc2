import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { actionOf, buildPlan, createProver, type Plan, planText, type Proposal } from '@ovn-steward/executor';
import { protectionOf } from '@ovn-steward/judgement/protection';
import { Duration } from '@ovn-steward/shared/duration';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Finding } from '@ovn-steward/shared/events/finding';
import type { Settings } from '@ovn-steward/shared/settings';
import { diagnose, patientOf } from '../doctor/diagnosis';
import { freeing } from '../doctor/proposals';
import { EXIT } from '../exit-codes';
import { type Channel, channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { knownFindings } from '../inputs/known-findings';
import { withInputs } from '../inputs/options';
import { requireRule } from '../inputs/scope';
import { inputsFrom } from '../inputs/sources';
import { withSystems } from '../inputs/systems';
import { planSummary } from '../output/plan-summary';
import { type Progress, startProgress } from '../output/progress';
import { FILES } from '../pipeline';
import { interrupted } from '../interrupted';
import { takeLook } from '../take-look';
import { secondsOf } from './seconds';

interface PlanOptions extends ChannelOptions {
  readonly rule?: readonly string[];
  readonly subnet?: string;
  readonly limit?: number;
  readonly unstick?: readonly string[];
  readonly all?: boolean;
  readonly validFor: number;
  readonly look?: boolean;
  readonly out?: string;
  readonly output: 'text' | 'json';
  readonly timeout: number;
}

/** `steward plan`: what would be removed now, proven on the living systems, as a file that a person can read and sign off; nothing is changed. */
export function planCommand(program: Command, done: (code: number) => void): void {
  withChannel(withInputs(program.command('plan').description('write down what would be removed, why, and in which order, for a person to read and to have applied; nothing is changed')))
    .option('--rule <id...>', 'only what these rules find')
    .option('--subnet <name>', 'only what lies in this subnet')
    .option('--limit <count>', 'at most so many', countOf)
    .option('--unstick <what...>', 'only what frees these deletions that hang, as steward doctor names them: <kind>/<name>; looks now')
    .option('--all', 'with all that hangs, and what an uninstalled Kube-OVN left; looks now')
    .option('--valid-for <duration>', 'how long it can be applied', durationOf, 86_400_000)
    .option('--look', 'look now, also where a pipeline or the log knows what was found; what is seen only once has to ripen before it is applied')
    .option('--out <file>', 'where to write the plan, which must not exist; on standard output unless told')
    .addOption(new Option('--output <form>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--timeout <seconds>', 'how long a look may take', secondsOf, 120)
    .action(async (options: PlanOptions) => {
      options.rule?.forEach(requireRule);
      options.unstick?.forEach(patientOf);
      if (options.out !== undefined && existsSync(options.out)) throw new Failure('config-invalid', `${options.out} exists: name another file, or move it away`);
      const channel = channelOf(options);
      const { config } = channel;
      const progress = startProgress('looked at');
      const stop = interrupted();
      const plan = await withSystems(options, config, async (systems) => buildPlan({
        proposals: chosen(await found(channel, options, progress), options), graceOf: (of) => config.grace[of],
        prover: createProver({ cluster: channel.cluster, systems, isProtected: protectionOf(config.protect) }),
        systems, actionOf, cluster: channel.cluster, now: () => new Date(), validMs: options.validFor, signal: stop.signal, onProgress: progress.update,
        ...(options.limit === undefined ? {} : { limit: options.limit }),
      })).finally(() => {
        progress.end();
        stop.end();
      });
      report(plan, options, config);
      done(plan.entries.length > 0 ? EXIT.findings : plan.leftOut.length > 0 ? EXIT.couldNotKnow : EXIT.nothingFound);
    });
}

/** As the log or the pipeline knows them; else by a look, where the moment stands for the revision: a later look is a later one. */
async function found(channel: Channel, options: PlanOptions, progress: Progress): Promise<readonly Finding[]> {
  const { stateDir, config, cluster } = channel;
  if (options.unstick !== undefined || options.all) return wayOut(channel, options, progress);
  const known = stateDir === undefined || existsSync(join(stateDir, FILES.checkpoint));
  if (known && !options.look) return (await knownFindings(channel)).filter((it) => it.state === 'confirmed');
  const engine = await takeLook(inputsFrom(options, config, { note: progress.note }), { ...config, cluster }, { timeoutMs: options.timeout * 1000 });
  const revision = Math.floor(Date.now() / 1000);
  return engine.findings().map((it) => ({ ...it, revision }));
}

/** Of what frees a deletion that hangs: what can be proven now. The rest comes true when this is done, and is in the next plan. */
async function wayOut({ config, cluster }: Channel, { unstick = [], all = false, ...options }: PlanOptions, progress: Progress): Promise<readonly Finding[]> {
  const engine = await takeLook(inputsFrom(options, config, { note: progress.note }), { ...config, cluster }, { timeoutMs: options.timeout * 1000 });
  const diagnosis = diagnose(engine, all ? [] : unstick.map(patientOf));
  const proposals = freeing(engine, diagnosis, all, Math.floor(Date.now() / 1000));
  const later = diagnosis.steps.filter(({ remedy }) => remedy === undefined).length;
  if (later > 0) process.stderr.write(`${later} more ${later === 1 ? 'step comes' : 'steps come'} after these, or ${later === 1 ? 'is' : 'are'} not the executor's: steward doctor shows them. Plan again when this is done, or let steward doctor --free do both.\n`);
  return proposals;
}

const chosen = (findings: readonly Finding[], { rule, subnet }: PlanOptions): readonly Proposal[] =>
  findings.filter((it): it is Proposal => it.remedy !== null && it.resolvedAt === null && (rule === undefined || rule.includes(it.rule)) && (subnet === undefined || it.scope?.subnet === subnet));

function report(plan: Plan, { out, output }: PlanOptions, { executor: { rate } }: Settings): void {
  const text = planText(plan, `At most ${rate.perSecond} a second are done, and ${rate.burst} at once (executor.rate of who carries it out), within its ceilings, windows and holds.`);
  if (out !== undefined) {
    try {
      writeFileSync(out, text, { flag: 'wx' });
    } catch (error) {
      throw new Failure('config-invalid', `${out} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }
  if (output === 'json') process.stdout.write(`${JSON.stringify(plan, null, 2)}\n`);
  else if (out === undefined) process.stdout.write(text);
  else process.stdout.write(planSummary(plan, out));
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('give a whole number greater than 0');
  return Number(text);
}

function durationOf(text: string): number {
  const { data } = Duration.safeParse(text);
  if (data === undefined || data === 0) throw new InvalidArgumentError('give a duration, such as 30m, 8h or 2d');
  return data;
}

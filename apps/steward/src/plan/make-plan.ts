import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  actionOf,
  buildPlan,
  createProver,
  type Plan,
  type Proposal,
  type Systems,
} from '@ovn-steward/executor';
import { protectionOf } from '@ovn-steward/judgement/protection';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { safeText } from '@ovn-steward/shared/safe-text';
import { diagnose, missingText, patientOf } from '../doctor/diagnosis';
import { freeing } from '../doctor/proposals';
import type { Channel, ChannelOptions } from '../inputs/decisions';
import { knownFindings } from '../inputs/known-findings';
import { inputsFrom } from '../inputs/sources';
import type { Progress } from '../output/progress';
import { FILES } from '../pipeline';
import { takeLook } from '../take-look';
import { secondsOf } from '../commands/seconds';

/** What a plan is to be made of, as the command line says it. */
export interface WishOptions extends ChannelOptions {
  readonly rule?: readonly string[];
  readonly subnet?: string;
  readonly limit?: number;
  readonly unstick?: readonly string[];
  readonly all?: boolean;
  readonly look?: boolean;
  readonly timeout: number;
}

/** The options that say what a plan is made of. */
export const withWishes = (command: Command): Command =>
  command
    .option('--rule <id...>', 'only what these rules find')
    .option('--subnet <name>', 'only what lies in this subnet')
    .option('--limit <count>', 'at most so many', countOf)
    .option(
      '--unstick <what...>',
      'only what frees these deletions that hang, as steward doctor names them: <kind>/<name>; looks now',
    )
    .option('--all', 'with all that hangs, and what an uninstalled Kube-OVN left; looks now')
    .option(
      '--look',
      'look now, also where a pipeline or the log knows what was found; what is seen only once has to ripen before it is applied',
    )
    .option('--timeout <seconds>', 'how long a look may take', secondsOf, 120);

/** Whether anything was wished for at all. */
export const wishesAnything = ({ rule, subnet, limit, unstick, all, look }: WishOptions): boolean =>
  [rule, subnet, limit, unstick, all, look].some((it) => it !== undefined);

/** @throws Failure `config-invalid` for a rule or a thing that cannot be. */
export function checkWishes({ rule, unstick }: WishOptions): void {
  rule?.forEach((id) => requireRule(id));
  unstick?.forEach(patientOf);
}

/** Makes the plan: what is found or known, proven on the living systems. Nothing is changed. @throws Failure as looking and proving do. */
export async function makePlan(
  channel: Channel,
  wishes: WishOptions,
  systems: Systems,
  {
    validMs,
    progress,
    signal,
  }: { readonly validMs: number; readonly progress: Progress; readonly signal: AbortSignal },
): Promise<Plan> {
  const { config, cluster } = channel;
  return buildPlan({
    proposals: chosen(await found(channel, wishes, progress), wishes),
    graceOf: (of) => config.grace[of],
    prover: createProver({
      cluster,
      systems,
      isProtected: protectionOf(config.protect),
      kubeOvn: config.executor.kubeOvn,
    }),
    systems,
    actionOf,
    cluster,
    now: () => new Date(),
    validMs,
    signal,
    onProgress: progress.update,
    ...(wishes.limit === undefined ? {} : { limit: wishes.limit }),
  });
}

/** As the log or the pipeline knows them; else by a look, where the moment stands for the revision: a later look is a later one. */
async function found(
  channel: Channel,
  options: WishOptions,
  progress: Progress,
): Promise<readonly Finding[]> {
  const { stateDir, config, cluster } = channel;
  if (options.unstick !== undefined || options.all) return wayOut(channel, options, progress);
  const known = stateDir === undefined || existsSync(join(stateDir, FILES.checkpoint));
  if (known && !options.look)
    return (await knownFindings(channel)).filter((it) => it.state === 'confirmed');
  const engine = await takeLook(
    inputsFrom(options, config, { note: progress.note }),
    { ...config, cluster },
    { timeoutMs: options.timeout * 1000 },
  );
  const revision = Math.floor(Date.now() / 1000);
  return engine.findings().map((it) => ({ ...it, revision }));
}

/** Of what frees a deletion that hangs: what can be proven now. The rest comes true when this is done, and is in the next plan. */
async function wayOut(
  { config, cluster }: Channel,
  { unstick = [], all = false, ...options }: WishOptions,
  progress: Progress,
): Promise<readonly Finding[]> {
  const engine = await takeLook(
    inputsFrom(options, config, { note: progress.note }),
    { ...config, cluster },
    { timeoutMs: options.timeout * 1000 },
  );
  const diagnosis = diagnose(engine, all ? [] : unstick.map(patientOf));
  for (const it of diagnosis.missing) process.stderr.write(`${safeText(missingText(it), 500)}\n`);
  const proposals = freeing(engine, diagnosis, all, Math.floor(Date.now() / 1000));
  const later = diagnosis.steps.filter(({ remedy }) => remedy === undefined).length;
  if (later > 0)
    process.stderr.write(
      `${later} more ${later === 1 ? 'step comes' : 'steps come'} after these, or ${later === 1 ? 'is' : 'are'} not the executor's: steward doctor shows them. Plan again when this is done, or let steward doctor --free do both.\n`,
    );
  return proposals;
}

const chosen = (findings: readonly Finding[], { rule, subnet }: WishOptions): readonly Proposal[] =>
  findings.filter(
    (it): it is Proposal =>
      it.remedy !== null &&
      it.resolvedAt === null &&
      (rule === undefined || rule.includes(it.rule)) &&
      (subnet === undefined || it.scope?.subnet === subnet),
  );

function countOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new InvalidArgumentError('give a whole number greater than 0');
  return Number(text);
}

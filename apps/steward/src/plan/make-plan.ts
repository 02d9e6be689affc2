import { isUnderstood } from '@ovn-steward/contracts/findings/finding-codec';
import { proverFor } from './prover-for';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { actionOf, buildPlan, type Plan, type Proposal } from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { diagnose, missingText, doctorTargetOf } from '../doctor/diagnosis';
import { freeing } from '../doctor/proposals';
import type { Channel, ChannelOptions } from '../inputs/decisions';
import { EXIT } from '../process/exit-codes';
import { knownFindings } from '../inputs/known-findings';
import { doubtAboutMemory } from '../inputs/memory-age';
import { inputsFrom, unreachableAfter } from '../inputs/sources';
import type { Progress } from '../output/progress';
import { FILES } from '../inputs/state-files';
import { readWorld } from '../inputs/read-world';
import { secondsOption } from '../inputs/seconds';

/** What a plan is to be made of, as the command line says it. */
export interface PlanRequest extends ChannelOptions {
  readonly rule?: readonly string[];
  readonly subnet?: string;
  readonly limit?: number;
  readonly unstick?: readonly string[];
  readonly all?: boolean;
  readonly look?: boolean;
  readonly timeout: number;
}

/** The options that say what a plan is made of. */
export const withPlanOptions = (command: Command): Command =>
  command
    .option('--rule <id...>', 'only what these rules find')
    .option('--subnet <name>', 'only what is in this subnet')
    .option('--limit <count>', 'at most this many', countOf)
    .option(
      '--unstick <what...>',
      'only what frees these hanging deletions, as steward doctor names them: <kind>/<name>; reads the sources now',
    )
    .option(
      '--all',
      'everything that hangs, and what an uninstalled Kube-OVN left; reads the sources now',
    )
    .option(
      '--look',
      'read the sources now, even if a pipeline or the log has findings; what is seen only once has its grace before it is applied',
    )
    .addOption(secondsOption('--timeout <duration>', 'how long reading the sources may take', 120));

/** Whether the request names anything at all. */
export const requestsAnything = ({
  rule,
  subnet,
  limit,
  unstick,
  all,
  look,
}: PlanRequest): boolean =>
  [rule, subnet, limit, unstick, all, look].some((it) => it !== undefined);

/** @throws Failure `config-invalid` for a rule or an object that cannot be. */
export function checkPlanRequest({ rule, unstick }: PlanRequest): void {
  rule?.forEach((id) => requireRule(id));
  unstick?.forEach(doctorTargetOf);
}

/**
 * Makes the plan: what is found or known, proven on the living systems. Nothing is changed.
 * `doubt`: why there may be more than was found.
 * @throws Failure as looking and proving do.
 */
export async function makePlan(
  channel: Channel,
  request: PlanRequest,
  systems: Systems,
  {
    validMs,
    progress,
    signal,
  }: { readonly validMs: number; readonly progress: Progress; readonly signal: AbortSignal },
): Promise<{ readonly plan: Plan; readonly doubt: string | undefined }> {
  const { config, cluster } = channel;
  const { findings, doubt } = await found(channel, request, progress);
  const plan = await buildPlan({
    proposals: chosen(findings, request),
    graceOf: (of) => config.grace[of],
    prover: proverFor(channel, systems),
    systems,
    actionOf,
    cluster,
    now: () => new Date(),
    validMs,
    signal,
    onProgress: progress.update,
    ...(request.limit === undefined ? {} : { limit: request.limit }),
  });
  return { plan, doubt };
}

/**
 * What a command about a plan ends with where nothing was done.
 * @param doubt why it cannot be known whether there is anything.
 */
export const exitCodeOfPlan = ({ entries, leftOut }: Plan, doubt: string | undefined): number =>
  entries.length > 0
    ? EXIT.findings
    : leftOut.length > 0 || doubt !== undefined
      ? EXIT.couldNotKnow
      : EXIT.nothingFound;

/**
 * As the log or the pipeline knows them; else as one read of the systems finds them, with the time
 * of the read as the revision: a later read has a later one.
 */
async function found(
  channel: Channel,
  options: PlanRequest,
  progress: Progress,
): Promise<{ readonly findings: readonly Finding[]; readonly doubt: string | undefined }> {
  const { stateDir, config, cluster } = channel;
  if (options.unstick !== undefined || options.all)
    return { findings: await provableNow(channel, options, progress), doubt: undefined };
  const known = stateDir === undefined || existsSync(join(stateDir, FILES.checkpoint));
  if (known && !options.look)
    return {
      findings: (await knownFindings(channel)).filter(
        (it) => it.state === 'confirmed' && isUnderstood(it),
      ),
      doubt: await doubtAboutMemory(channel),
    };
  const engine = await readWorld(
    inputsFrom(options, config, {
      report: progress.report,
      unreachableAfterMs: unreachableAfter(options.timeout),
    }),
    { ...config, cluster },
    { timeoutMs: options.timeout * 1000 },
  );
  const revision = Math.floor(Date.now() / 1000);
  const findings = engine.findings().map((it) => ({ ...it, revision }));
  return { findings, doubt: doubtOfRead(engine.unknowns()) };
}

/** Why a read that found nothing does not mean that there is nothing. */
const doubtOfRead = ([first, ...more]: readonly Unknown[]): string | undefined =>
  first &&
  `${first.rule} could not judge ${first.subject === null ? 'anything' : describe(first.subject)}: ${first.reason}${more.length === 0 ? '' : `; and ${more.length} more, which steward audit shows`}`;

/**
 * Of what frees a deletion that hangs: what can be proven now. The rest comes true when this is
 * done, and is in the next plan.
 */
async function provableNow(
  { config, cluster }: Channel,
  { unstick = [], all = false, ...options }: PlanRequest,
  progress: Progress,
): Promise<readonly Finding[]> {
  const engine = await readWorld(
    inputsFrom(options, config, {
      report: progress.report,
      unreachableAfterMs: unreachableAfter(options.timeout),
    }),
    { ...config, cluster },
    { timeoutMs: options.timeout * 1000 },
  );
  const diagnosis = diagnose(engine, all ? [] : unstick.map(doctorTargetOf));
  for (const name of diagnosis.missing)
    process.stderr.write(`${safeText(missingText(name), 500)}\n`);
  const proposals = freeing(engine, diagnosis, all, Math.floor(Date.now() / 1000));
  const later = diagnosis.steps.filter(({ remedy }) => remedy === undefined).length;
  if (later > 0)
    process.stderr.write(
      `${later} more ${later === 1 ? 'step comes' : 'steps come'} after these, or ${later === 1 ? 'is' : 'are'} not the executor's: steward doctor shows them. Plan again when this is done, or let steward doctor --free do both.\n`,
    );
  return proposals;
}

const chosen = (findings: readonly Finding[], { rule, subnet }: PlanRequest): readonly Proposal[] =>
  findings.filter(
    (finding): finding is Proposal =>
      finding.remedy !== null &&
      finding.resolvedAt === null &&
      (rule === undefined || rule.includes(finding.rule)) &&
      (subnet === undefined || finding.scope?.subnet === subnet),
  );

function countOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new InvalidArgumentError('give a whole number greater than 0');
  return Number(text);
}

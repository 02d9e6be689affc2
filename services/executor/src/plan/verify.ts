import { Failure } from '@ovn-steward/shared/errors';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';
import type { Action } from '../action-kit/action';
import type { Prover } from '../prove/prover';
import type { Systems } from '@ovn-steward/systems/systems';
import { rowsOfEntry } from './planned-rows';
import { systemsAhead } from './systems-ahead';
import { hasExpired, type Plan, type PlanEntry, proposalOf } from './plan';

export interface VerifyPlanOptions {
  readonly cluster: string;
  readonly systems: Systems;
  readonly prover: Pick<Prover, 'prove' | 'uninstalled'>;
  readonly actionOf: (id: string) => Action | undefined;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Entries that have ended already, of a plan that was begun before: they may have moved. */
  readonly ended?: (id: string) => boolean;
  readonly onProgress?: (checked: number) => void;
}

/** An entry that is not any more as it was, and why. */
export interface MovedPlanEntry {
  readonly entry: PlanEntry;
  readonly reason: string;
}

/** A plan that is refused because the world has moved on; nothing was written. */
export class StalePlan extends Failure {
  constructor(
    message: string,
    readonly moved: readonly MovedPlanEntry[],
  ) {
    super('plan-stale', message);
  }
}

const SHOWN = 10;

/**
 * Whether a plan still is about what it was made of: for this cluster, in its time, every entry in
 * the same version and still proven. Writes nothing.
 * @throws Failure `plan-foreign`, `other-cluster`, `plan-unstated`, `plan-stale` (a `StalePlan`
 *   with what moved); and whatever says that the systems cannot be read.
 */
export async function verifyPlan(plan: Plan, options: VerifyPlanOptions): Promise<void> {
  await refuseForeign(plan, options);
  refuseUnstated(plan, options);
  const { now, ended, onProgress } = options;
  if (hasExpired(plan, now()))
    throw new StalePlan(
      `The plan expired at ${plan.expiresAt}. Nothing was done. Make another with steward plan.`,
      [],
    );
  if (now().getTime() < Date.parse(plan.createdAt) - AHEAD_MS)
    throw new StalePlan(
      `The plan is from the future (${plan.createdAt}): the clock of this machine or of the one it was made on is wrong. Nothing was done. Correct it, then make another.`,
      [],
    );
  const moved: MovedPlanEntry[] = [];
  const ahead = systemsAhead(options.systems);
  for (const [index, entry] of plan.entries.entries()) {
    const isOver = ended?.(entry.id) === true;
    if (isOver) ahead.remove(undefined, rowsOfEntry(entry));
    const reason = isOver ? undefined : await movement(plan, entry, options, ahead);
    if (reason !== undefined) moved.push({ entry, reason });
    onProgress?.(index + 1);
  }
  if (moved.length === 0) return;
  const shown = moved
    .slice(0, SHOWN)
    .map(({ entry, reason }) => `${describe(entry.target)}: ${reason}`);
  throw new StalePlan(
    safeText(
      `${moved.length} of the ${plan.entries.length} things the plan is about moved since it was made, so none of it is done: ${shown.join('; ')}${moved.length > SHOWN ? '; and more' : ''}. Make another with steward plan.`,
      4000,
    ),
    moved,
  );
}

/** Two machines' clocks agree within that. */
const AHEAD_MS = 5 * 60_000;

async function refuseForeign(
  { cluster, identity }: Plan,
  { cluster: ours, systems: { northbound, kubernetes }, signal }: VerifyPlanOptions,
): Promise<void> {
  const foreign = (
    what: string,
    theirs: string,
    where: string,
    code: 'plan-foreign' | 'other-cluster' = 'other-cluster',
  ): Failure =>
    new Failure(
      code,
      `The plan is for ${what} ${safeText(theirs)}, and this is ${safeText(where)}. Nothing was done. Name the systems it was made for, or make another.`,
    );
  if (cluster !== ours) throw foreign('the cluster', cluster, ours, 'plan-foreign');
  const here = {
    northbound: await northbound.identity(signal),
    kubernetes: await kubernetes.identity(signal),
  };
  if (identity.northbound !== here.northbound)
    throw foreign(
      'the Northbound',
      identity.northbound,
      `${here.northbound} (${northbound.where})`,
    );
  if (identity.kubernetes !== here.kubernetes)
    throw foreign(
      'the Kubernetes cluster',
      identity.kubernetes,
      `${here.kubernetes} (${kubernetes.where})`,
    );
}

/**
 * @throws Failure `plan-unstated` where the plan rests on a person's statement about these systems
 * that was not made here.
 */
function refuseUnstated(
  { uninstalled, identity }: Plan,
  { prover }: Pick<VerifyPlanOptions, 'prover'>,
): void {
  const statement = uninstalledText(identity);
  if (uninstalled !== true || prover.uninstalled.includes(statement)) return;
  throw new Failure(
    'plan-unstated',
    `The plan rests on a person's statement that Kube-OVN was uninstalled from the cluster, and who is to carry it out was not given that statement. Nothing was done. If it is so, give it there as well: --uninstalled ${statement}, or the setting uninstalled of the executor.`,
  );
}

/** Why an entry is not as it was; undefined when it is. */
async function movement(
  plan: Plan,
  entry: PlanEntry,
  { prover, actionOf, signal }: VerifyPlanOptions,
  ahead: ReturnType<typeof systemsAhead>,
): Promise<string | undefined> {
  const action = actionOf(entry.action);
  if (action === undefined) return `this version has no action ${entry.action}`;
  const prepared = await action.prepare(
    entry.target,
    { action: entry.id, rule: entry.rule, finding: entry.finding },
    ahead.systems,
    signal,
  );
  if (prepared.is === 'refused') return prepared.reason;
  if (prepared.version !== entry.version) return 'it was changed';
  ahead.remove(prepared.undo, rowsOfEntry(entry));
  const proof = await prover.prove(proposalOf(plan, entry), signal);
  return proof.is === 'proven' ? undefined : proof.is === 'gone' ? 'it is gone' : proof.reason;
}

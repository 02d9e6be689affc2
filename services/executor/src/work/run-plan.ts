import { pause } from '@ovn-steward/shared/pause';
import { type ActionRecord, ENDED } from '@ovn-steward/contracts/actions/action';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { hash } from 'node:crypto';
import type { Plan, PlanEntry } from '../plan/plan';
import { withWorker } from './act';
import type { ActOptions } from './act-options';

export interface RunPlanOptions extends Omit<ActOptions, 'proposals'> {
  readonly plan: Plan;
  /** Who wants it carried out. */
  readonly by: string;
  readonly overCeilings: boolean;
  /** Whether to go on while entries are deferred, such as by a hold, until the signal fires. */
  readonly wait: boolean;
}

const EVERY_MS = 500;
/** So many turns without any progress end it. */
const STILL = 4;
/**
 * While something waits for its finalizers, which a controller that is there takes a second or two
 * to do.
 */
const STILL_GOING = 10;

/**
 * Carries out one plan, and nothing else, with all the checks of an executor, until each of its
 * entries has ended or nothing of it moves: a hold or limit that does not pass by itself within the
 * plan's turns leaves the rest undone, as the records say, unless it is to wait. What is refused with
 * the plan does not pass.
 *
 * @returns what became of each entry that was decided about.
 * @throws Failure as `act` does. What was claimed is settled by the next executor of the same
 * ledger.
 */
export async function runPlan(
  { plan, by, overCeilings, wait, ...options }: RunPlanOptions,
  signal: AbortSignal,
): Promise<readonly ActionRecord[]> {
  const { log, partition, cluster, clock, ledger } = options;
  const at = clock();
  const control = {
    type: 'plan' as const,
    version: 1 as const,
    id: hash('sha256', JSON.stringify([plan.id, by, at.toISOString()])),
    cluster,
    by,
    at: at.toISOString(),
    plan: plan as unknown as Record<string, unknown>,
    overCeilings,
  };
  await log.append(CONTROL, partition, [encodeControl(control, at.getTime())]);
  const left = (): readonly PlanEntry[] =>
    plan.entries.filter(({ id }) => !ENDED.has(ledger.stateOf(id)?.state ?? 'deferred'));
  const mayPass = (): boolean =>
    wait && !left().every(({ id }) => ledger.stateOf(id)?.code.startsWith('plan-') === true);
  await withWorker(
    { ...options, onlyPlan: plan.id, proposals: () => [] },
    signal,
    async (worker, running) => {
      const patience = (): number =>
        plan.entries.some(({ id }) => ledger.stateOf(id)?.state === 'terminating')
          ? STILL_GOING
          : STILL;
      for (
        let before = Infinity, still = 0;
        left().length > 0 && (still < patience() || mayPass()) && !running.aborted;
      ) {
        const more = await worker.turn(running);
        const now = left().length;
        still = now < before || more ? 0 : still + 1;
        before = now;
        if (!more && now > 0) await pause(EVERY_MS, running);
      }
    },
  );
  return plan.entries.flatMap(({ id }) => ledger.get(id) ?? []);
}

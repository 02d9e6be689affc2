import { newDecision } from '../inputs/new-decision';
import { type Plan, runPlan } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import type { SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import type { Channel } from '../inputs/decisions';
import { actHere, type HereOptions } from './act-here';
import { planProgressOf } from './plan-progress';

export interface ApplyOptions extends HereOptions {
  readonly plan: Plan;
  readonly overCeilings: boolean;
  /** Whether to go on waiting for what is put off. */
  readonly wait: boolean;
}

/**
 * Carries a plan out in this process (`actHere`). What is not done when this returns must not be
 * done later, unattended: the plan is withdrawn.
 * @returns what was decided about its entries.
 * @throws Failure as `runPlan` does.
 */
export const applyHere = (
  log: SqliteLog,
  stateDir: string,
  options: ApplyOptions,
): Promise<readonly ActionRecord[]> => {
  const { plan, overCeilings, wait, channel, signal } = options;
  return actHere(log, stateDir, options, async (here) => {
    try {
      return await runPlan({ ...here, plan, by: channel.by, overCeilings, wait }, signal);
    } finally {
      if (!planProgressOf(plan, (id) => here.ledger.get(id)).ended)
        await withdraw(log, channel, plan);
    }
  });
};

async function withdraw(log: SqliteLog, channel: Channel, { id }: Plan): Promise<void> {
  const control: Control = {
    type: 'withdraw',
    ...newDecision(channel),
    of: `plan/${id}`,
  };
  await log.append(CONTROL, channel.partition, [encodeControl(control, Date.now())]);
}

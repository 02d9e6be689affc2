import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import { commonIdentity, isUnderWay } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { EXIT } from '../process/exit-codes';
import { actionRecords } from '../inputs/action-records';
import {
  type Channel,
  channelOf,
  type DecisionOptions,
  publishDecisions,
  withDecision,
} from '../inputs/decisions';
import { pickById } from '../inputs/pick-by-id';
import { reportDecisions } from '../output/decision-text';

interface GiveUpOptions extends DecisionOptions {
  readonly reason: string;
}

/** `steward give-up`: ends, as failed, an action that no executor can settle. */
export function giveUpCommand(program: Command, done: (code: number) => void): void {
  withDecision(
    program
      .command('give-up')
      .argument('<action-id>', 'the id of an action that cannot be settled, or its beginning')
      .description(
        'end an action that cannot be settled as failed; writes nothing to OVN or Kubernetes, and keeps its undo record',
      ),
  )
    .requiredOption('--reason <text>', 'why; recorded')
    .action(async (id: string, options: GiveUpOptions) => {
      const channel = await channelOf(options);
      const action = pickById(id, await actionsIn(channel), 'action', 'steward actions');
      const control: Control = {
        type: 'give-up',
        ...newDecision(channel),
        ...commonIdentity([action]),
        of: action.id,
        claimedAt: claimOf(action),
        reason: options.reason,
      };
      const receipt = await publishDecisions(channel, [control]);
      const short = action.id.slice(0, 12);
      const lines = [
        `Given up: ${action.action} on ${describe(action.target)} (${short}). Its outcome is not followed any more; check it yourself.`,
        `steward actions ${short} shows how it ended; steward undo ${short} has it put back where it is gone.`,
      ];
      reportDecisions({ lines, controls: [control], receipt }, channel, options.output);
      done(EXIT.nothingFound);
    });
}

async function actionsIn(channel: Channel): Promise<readonly ActionRecord[]> {
  const records = await actionRecords(channel);
  try {
    await records.catchUp();
    return [...records.all()];
  } finally {
    await records.close();
  }
}

/** Which claim is meant. @throws Failure `give-up-refused` where there is nothing to give up. */
function claimOf(action: ActionRecord): string {
  const { id, state, reason, claimedAt, unsettled } = action;
  const refuse = (why: string): never => {
    throw new Failure('give-up-refused', `Action ${id.slice(0, 12)} ${why} Nothing was decided.`);
  };
  if (!isUnderWay(action) || claimedAt === null)
    return refuse(`is ${state} (${reason}): it is settled, and there is nothing to give up.`);
  if (unsettled === undefined)
    return refuse(
      `is ${state}, and no executor has failed to settle it so far: wait until steward actions says that it is not settled.`,
    );
  return claimedAt;
}

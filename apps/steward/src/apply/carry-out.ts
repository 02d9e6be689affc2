import { setTimeout as sleep } from 'node:timers/promises';
import { isRipe, type Plan, type Systems } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import type { Action } from '@ovn-steward/shared/events/action';
import type { Channel } from '../inputs/decisions';
import type { Progress } from '../output/progress';
import { takeLog } from './act-here';
import { applyHere } from './apply-here';
import { handOver } from './hand-over';

/** What was seen only once when the plan was made has its grace first. @throws Failure `plan-unripe` where nobody is to wait. */
export async function ripened({ entries }: Plan, wait: boolean, signal: AbortSignal): Promise<void> {
  const unripe = entries.filter((it) => !isRipe(it, new Date())).map((it) => it.ripeAt).sort();
  const last = unripe.at(-1);
  if (last === undefined) return;
  if (!wait) throw new Failure('plan-unripe', `${unripe.length} of the ${entries.length} things in the plan were seen only once when it was made, and are left alone until ${last}. Nothing was done. Apply it then, or say --wait.`);
  process.stderr.write(`Waiting until ${last}; Ctrl-C ends it, and nothing is done.\n`);
  await sleep(Math.max(0, Date.parse(last) - Date.now()), undefined, { signal });
}

type Hearing = Pick<Parameters<typeof handOver>[0], 'signal' | 'onAction'> & { readonly note: Progress['note'] };

/** By the executor that runs on Kafka or has the folder's log; else here. */
export async function carriedOut(plan: Plan, channel: Channel, systems: Systems, { overCeilings, wait }: { readonly overCeilings: boolean; readonly wait: boolean }, hearing: Hearing): Promise<readonly Action[]> {
  const all = { plan, channel, overCeilings, ...hearing };
  if (channel.stateDir === undefined) return handOver({ ...all, wait });
  const log = takeLog(channel.stateDir);
  return log === undefined ? handOver({ ...all, wait }) : applyHere(log, channel.stateDir, { ...all, systems });
}

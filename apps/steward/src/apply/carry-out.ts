import { pause } from '@ovn-steward/shared/pause';
import { isRipe, type Plan } from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Channel } from '../inputs/decisions';
import { type Progress, startProgress } from '../output/progress';
import { takeLog } from './act-here';
import { applyHere } from './apply-here';
import { handOver } from './hand-over';

/**
 * What to do next. Where no file holds the plan, the next observation starts the grace period
 * again, so only waiting, or a file, ends it.
 */
const NEXT_STEP = {
  file: 'Apply it then, or add --wait.',
  none: 'Add --wait, and the plan is proven again and carried out when its grace is over; or write it with steward plan --out <file> and apply that file then. Without a file each try reads the systems again, and the grace starts again.',
} as const;

/**
 * @throws Failure `plan-unripe` where something in the plan was seen only once and its grace is not
 *   over; before any confirmation.
 */
export function refuseUnripe(plan: Plan, read: keyof typeof NEXT_STEP): void {
  const { count, last } = unripeIn(plan);
  if (last !== undefined)
    throw new Failure(
      'plan-unripe',
      `${count} of the ${plan.entries.length} things in the plan were seen only once when it was made, and are left alone until ${last}. Nothing was done. ${NEXT_STEP[read]}`,
    );
}

/**
 * Waits until the last grace is over, and shows how long it still is.
 * @throws Failure `plan-unripe` where the signal ends it.
 */
export async function untilRipe(plan: Plan, signal: AbortSignal): Promise<void> {
  const { last } = unripeIn(plan);
  if (last === undefined) return;
  process.stderr.write(
    `Waiting until ${last}, when all of it is ripe; Ctrl-C ends it, and nothing of this plan is done.\n`,
  );
  const left = startProgress('seconds left to wait:');
  for (let ms = msUntil(last); ms > 0 && !signal.aborted; ms = msUntil(last)) {
    left.update(Math.ceil(ms / 1000));
    await pause(Math.min(ms, 1000), signal);
  }
  left.end();
  if (signal.aborted)
    throw new Failure('plan-unripe', `Interrupted before ${last}: nothing of this plan was done.`);
}

const msUntil = (moment: string): number => Date.parse(moment) - Date.now();

function unripeIn({ entries }: Plan): {
  readonly count: number;
  readonly last: string | undefined;
} {
  const unripe = entries
    .filter((it) => !isRipe(it, new Date()))
    .map((it) => it.ripeAt)
    .sort();
  return { count: unripe.length, last: unripe.at(-1) };
}

type CarryOutCallbacks = Pick<Parameters<typeof handOver>[0], 'signal' | 'onAction'> & {
  readonly report: Progress['report'];
};

/** By the executor that runs on Kafka or has the folder's log; else here. */
export async function carriedOut(
  plan: Plan,
  channel: Channel,
  systems: Systems,
  { overCeilings, wait }: { readonly overCeilings: boolean; readonly wait: boolean },
  callbacks: CarryOutCallbacks,
): Promise<readonly ActionRecord[]> {
  const all = { plan, channel, overCeilings, wait, ...callbacks };
  if (channel.stateDir === undefined) return handOver(all);
  const log = takeLog(channel.stateDir);
  return log === undefined ? handOver(all) : applyHere(log, channel.stateDir, { ...all, systems });
}

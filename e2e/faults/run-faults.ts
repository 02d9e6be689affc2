import { setTimeout as sleep } from 'node:timers/promises';
import type { Bed } from '../support/bed';
import { startLife } from '../support/life';
import { randomOf } from '../support/random';
import { judge, type Verdict } from '../support/verdict';
import type { Fault } from './fault';

export interface FaultRun extends Verdict {
  readonly breaks: string;
  readonly seconds: number;
}

/** Changes in one run: an hour of a small cluster in some fifteen seconds. */
const STEPS = 50;
const PAUSE_MS = 250;

/**
 * Lets life go on while the fault strikes, waits until all has come round, and compares. What life
 * made is taken away afterwards.
 */
export async function runFault(bed: Bed, fault: Fault, seed: number): Promise<FaultRun> {
  const began = performance.now();
  const random = randomOf(seed);
  const life = startLife({
    nbctl: bed.nb.nbctl,
    api: bed.kubernetes.api,
    random: randomOf(seed + 1),
  });
  const busy = (async () => {
    for (let step = 0; step < STEPS; step += 1) {
      await life.step();
      await sleep(PAUSE_MS);
    }
  })();
  busy.catch(() => undefined); // the fault may fail first
  await fault.strike(bed, random, busy);
  const verdict = await judge(bed.judged);
  await life.end();
  return { breaks: fault.breaks, seconds: (performance.now() - began) / 1000, ...verdict };
}

/** A run in which nothing breaks: that the comparison itself holds. */
export const CALM: Fault = { breaks: 'nothing broken', strike: (_bed, _random, busy) => busy };

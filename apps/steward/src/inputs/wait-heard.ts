import { setTimeout as sleep } from 'node:timers/promises';
import { type WhoHeard, whoHeard } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Channel, DecisionReceipt } from './decisions';
import { openDecided } from './decided';

/** Which executors read a decision. */
export interface Heard extends WhoHeard {
  /**
   * Whether it is what counts for its scope, by the log: a later decision may differ, or its
   * signature is not trusted.
   */
  readonly counts: boolean;
  /** Why it cannot be known which executor read it, where the log cannot be read. */
  readonly unknown?: string;
}

const POLL_INTERVAL_MS = 200;

/**
 * Waits until the executor that acts has published that it respects this hold or resume. Does not wait
 * in a folder on which no pipeline runs.
 * @param waitMs milliseconds, 0 or more.
 * @returns who said so by then.
 */
export async function waitHeard(
  { id }: Control,
  channel: Channel,
  receipt: DecisionReceipt,
  waitMs: number,
): Promise<Heard> {
  const end = performance.now() + waitMs;
  try {
    if (channel.server !== undefined) {
      for (;;) {
        const who = await channel.server.heard(id);
        if (who.all || performance.now() >= end) return who;
        await sleep(POLL_INTERVAL_MS);
      }
    }
    const decided = await openDecided(channel);
    try {
      for (;;) {
        const state = await decided.now();
        const who = whoHeard(state, [id]);
        const counts = [...state.effective.values()].some((it) => it.id === id);
        if (receipt === 'waiting') return { ...who, all: false, counts: true };
        if ((who.all && counts) || performance.now() >= end)
          return { ...who, all: who.all && counts, counts };
        await sleep(POLL_INTERVAL_MS);
      }
    } finally {
      await decided.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { all: false, heard: [], unheard: [], counts: true, unknown: error.message };
  }
}

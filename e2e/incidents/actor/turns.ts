import { setTimeout as sleep } from 'node:timers/promises';
import type { Objects } from './objects';

/**
 * Between two turns: short after one that wrote, for what waits for that. A turn that changes
 * nothing costs the API server a dozen lists, and most turns do.
 */
const PAUSE_MS = { afterWrites: 100, idle: 500 };
const MOST_TURNS = 40;

/** A part of Kube-OVN's controller, played in turns. */
export interface Controller {
  /** Turns until one of them writes nothing. */
  settle(): Promise<void>;
  /** Goes on while somebody else works, then settles. */
  during<T>(work: Promise<T>): Promise<T>;
}

/**
 * @param turn reads, and does what is to be done, by those objects and no others: what is written
 *   through them is counted.
 */
export function inTurns(real: Objects, turn: (objects: Objects) => Promise<void>): Controller {
  let writes = 0;
  const counting =
    <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      writes += 1;
      return write(...args);
    };
  const objects: Objects = {
    ...real,
    create: counting(real.create),
    write: counting(real.write),
    writeStatus: counting(real.writeStatus),
    remove: counting(real.remove),
    bind: counting(real.bind),
  };
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      const before = writes;
      await turn(objects);
      if (writes === before) return;
    }
    throw new Error(`the actor does not come to rest in ${MOST_TURNS} turns`);
  };
  return {
    settle,
    async during(work) {
      let over = false;
      const ended = work.finally(() => {
        over = true;
      });
      ended.catch(() => undefined);
      while (!over) {
        const before = writes;
        await turn(objects);
        const pause = writes === before ? PAUSE_MS.idle : PAUSE_MS.afterWrites;
        await Promise.race([ended.catch(() => undefined), sleep(pause)]);
      }
      await settle();
      return ended;
    },
  };
}

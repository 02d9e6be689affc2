import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const MIB = 2 ** 20;
const CHECKED_EVERY_MS = 1000;

/**
 * How far a heap may grow beyond what was alive at the last full collection, in per cent, by the
 * bytes in use.
 */
type Growth = (used: number) => number;

/**
 * Left alone, V8 lets a heap grow to several times what is alive before it collects. A world is
 * held for long: half as much again is enough, of a large one a seventh and of the largest a tenth,
 * since memory limits how large a cluster may be. A collection then goes through all of it more
 * often.
 */
const HELD: Growth = (used) => (used < 192 * MIB ? 50 : used < 512 * MIB ? 15 : 10);

/**
 * A world that is read once, most of which stays: each collection on the way goes through all of it
 * again.
 */
const READ_ONCE: Growth = (used) => (used < 128 * MIB ? 200 : 50);

/** Keeps the heap of this process close to what is alive in it, as long as the process lives. */
export function keepHeapClose(): void {
  setInterval(following(HELD), CHECKED_EVERY_MS).unref();
}

/**
 * Lets a small heap grow to three times what is alive.
 * @returns a function to call now and then, which sees that the heap is no longer small.
 */
export const growWhileSmall = (): (() => void) => following(READ_ONCE);

/** @returns a function that sets what holds by now. */
function following(growth: Growth): () => void {
  let set: number | undefined;
  const follow = (): void => {
    const percent = growth(getHeapStatistics().used_heap_size);
    if (percent !== set) setFlagsFromString(`--heap-growing-percent=${percent}`);
    set = percent;
  };
  follow();
  return follow;
}

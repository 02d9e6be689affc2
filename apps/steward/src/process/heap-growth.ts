import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Beyond so many bytes in use memory counts more than the time to collect it. */
const SMALL = 128 * 2 ** 20;

/** How far the heap may grow beyond what was alive at the last full collection, in per cent. */
const setGrowth = (percent: number): void =>
  setFlagsFromString(`--heap-growing-percent=${percent}`);

/**
 * Lets a small heap grow to three times what is alive before it is collected in full: a world is
 * read, most of it stays, and each collection on the way goes through all of it again.
 * @returns a function to call now and then: once the heap is no longer small, it grows as
 * `bin/steward.cjs` says.
 */
export function growWhileSmall(): () => void {
  let isSmall = true;
  setGrowth(200);
  return () => {
    if (!isSmall || getHeapStatistics().used_heap_size < SMALL) return;
    isSmall = false;
    setGrowth(50);
  };
}

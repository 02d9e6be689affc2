import { setImmediate } from 'node:timers/promises';

/** The longest that long work keeps everything else waiting, but for the piece it is at. */
const SLICE_MS = 50;

/**
 * Does long work in slices, between which timers and sockets have their turn: a group of consumers
 * takes a member that is silent for some seconds for dead, and a cluster of hundreds of thousands
 * of objects takes longer to read or to judge.
 */
export async function inSlices<T>(work: Generator<unknown, T>): Promise<T> {
  for (let began = performance.now(); ;) {
    const { done, value } = work.next();
    if (done) return value as T;
    if (performance.now() - began < SLICE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}

/** Handles each as it comes. */
export function* mapped<T>(
  items: Iterable<T>,
  handle: (item: T) => void,
): Generator<undefined, void> {
  for (const item of items) {
    handle(item);
    yield;
  }
}

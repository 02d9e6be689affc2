import type { History, Outcome } from './episode';
import type { Offence } from './truth/referee';

/** Plays to spend on one history; each takes some milliseconds a step. */
const MOST_EPISODES = 120;

/** Whether both are of one sort. */
export const isSame = (one: Offence, other: Offence): boolean =>
  one.kind === other.kind && one.sort === other.sort;

/**
 * A history with fewer steps that ends in the same sort of offence: parts are left out, half of it
 * first, then ever smaller ones, until none can be spared or enough was tried.
 *
 * @param offence of the history that is given.
 */
export function shrink(
  history: History,
  offence: Offence,
  runEpisode: (history: History) => Outcome,
): History {
  let episodes = 0;
  const fails = (steps: readonly number[]): boolean =>
    ++episodes <= MOST_EPISODES &&
    runEpisode({ ...history, steps }).offences.some((it) => isSame(it, offence));
  let steps = history.steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < steps.length && episodes < MOST_EPISODES;) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + size)];
      if (fails(fewer)) steps = fewer;
      else at += size;
    }
  }
  return { ...history, steps };
}

import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Step } from './pod-life';

/** Seconds that changes of one sort took together, and how many there were. */
interface Cost {
  seconds: number;
  changes: number;
}

/** Under which the mean over all sorts stands. */
export const ALL = '';

/**
 * Applies the changes one at a time and gives the mean seconds the engine takes for one, by sort:
 * folding, re-checking and the findings' lives. Making the change is not measured.
 */
export function meanCosts(engine: Engine, steps: Iterable<Step>): Map<string, number> {
  const all: Cost = { seconds: 0, changes: 0 };
  const costs = new Map<string, Cost>([[ALL, all]]);
  for (const { kind, change } of steps) {
    const begin = process.hrtime.bigint();
    engine.apply([change]);
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    let own = costs.get(kind);
    if (!own) costs.set(kind, (own = { seconds: 0, changes: 0 }));
    for (const cost of [all, own]) {
      cost.seconds += seconds;
      cost.changes++;
    }
  }
  return new Map([...costs].map(([kind, { seconds, changes }]) => [kind, seconds / changes]));
}

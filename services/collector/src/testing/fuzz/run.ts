import type { DatabaseSchema } from '@ovn-steward/ovsdb';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { type History, type MakeEngine, runEpisode } from './episode';
import { isSame, shrink } from './shrink';
import { type Offence, OFFENCES } from './truth/referee';

/** Steps of one history; then another cluster begins. */
const STEPS = 150;
/** Worlds of one seed do not meet those of the next. */
const STRIDE = 1_000_003;

/** One offence with the shortest history found that ends in its like. */
export interface Failure extends Offence {
  readonly world: number;
  readonly shrunk: History;
  readonly steps: number;
  /** What happened in it. */
  readonly history: readonly string[];
}

export type Tally = Record<(typeof OFFENCES)[number], number> & {
  steps: number;
  worlds: number;
  /** Findings that were confirmed when a world ended. */
  confirmed: number;
};

export interface RunOptions {
  readonly schema: DatabaseSchema;
  readonly seed: number;
  readonly steps: number;
  readonly makeEngine: MakeEngine;
  /** Play this world alone. */
  readonly world?: number;
  /** How many failing worlds are shrunk and shown; the others are counted. */
  readonly shown: number;
  /** End with the first failure. */
  readonly first?: boolean;
  readonly onWorld?: (tally: Tally) => void;
}

export function historyOf(seed: number, world: number): History {
  const draw = random(seed * STRIDE + world);
  return { seed: draw.int(2 ** 32), steps: Array.from({ length: STEPS }, () => draw.int(2 ** 32)) };
}

export interface Result {
  readonly tally: Tally;
  readonly failures: readonly Failure[];
  /** Ids of rules of which something was confirmed: no other rule was tried. */
  readonly reached: ReadonlySet<string>;
}

/** Worlds of that seed until so many steps are played. */
export function run(options: RunOptions): Result {
  const { schema, seed, makeEngine } = options;
  const tally = { steps: 0, worlds: 0, confirmed: 0 } as Tally;
  for (const it of OFFENCES) tally[it] = 0;
  const failures: Failure[] = [];
  const reached = new Set<string>();
  const ran = (history: History) => runEpisode(schema, history, makeEngine);
  for (let world = options.world ?? 0; tally.steps < options.steps; world += 1) {
    const history = historyOf(seed, world);
    const { offences, steps, confirmed, reached: inWorld } = ran(history);
    for (const rule of inWorld) reached.add(rule);
    tally.steps += Math.max(1, steps);
    tally.worlds += 1;
    tally.confirmed += confirmed.length;
    for (const { kind } of offences) tally[kind] += 1;
    options.onWorld?.(tally);
    const [offence] = offences;
    if (offence && failures.length < options.shown) {
      const least = shrink({ ...history, steps: history.steps.slice(0, steps) }, offence, ran);
      const { diary, offences: again } = ran(least);
      const what = (again.find((it) => isSame(it, offence)) ?? offence).what;
      failures.push({
        ...offence,
        what,
        world,
        shrunk: least,
        steps: least.steps.length,
        history: diary,
      });
    }
    if (options.world !== undefined || (options.first === true && offence)) break;
  }
  return { tally, failures, reached };
}

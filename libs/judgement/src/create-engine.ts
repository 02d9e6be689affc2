import { Engine } from './engine/engine';
import type { EngineOptions } from './engine/engine-options';
import { RELATIONS } from './relations/registry';
import { TALLIES } from './tallies/registry';
import { RULES } from './rules/registry';
import { World } from './world/world';

/**
 * An engine over an empty world with every relation and every rule.
 * @param recorded whether its input is recordings, each of one moment, instead of living systems.
 * @param followed whether changes come after the first judgement; otherwise all is folded first
 * (`foldUnjudged`), and what says how completely it is known is applied last.
 */
export function createEngine(
  options: Pick<
    EngineOptions,
    'cluster' | 'grace' | 'graceOf' | 'suppressedBy' | 'isProtected' | 'uninstalled'
  >,
  recorded = false,
  followed = true,
): Engine {
  return new Engine({
    ...options,
    rules: RULES,
    world: new World(RELATIONS, TALLIES, recorded, followed),
  });
}

import { Engine } from './engine/engine';
import type { EngineOptions } from './engine/engine-options';
import { RELATIONS } from './relations/registry';
import { TALLIES } from './tallies/registry';
import { RULES } from './rules/registry';
import { World } from './world/world';

/** An engine over an empty world with every relation and every rule. */
export function createEngine(
  options: Pick<EngineOptions, 'cluster' | 'grace' | 'isProtected' | 'uninstalled'>,
): Engine {
  return new Engine({ ...options, rules: RULES, world: new World(RELATIONS, TALLIES) });
}

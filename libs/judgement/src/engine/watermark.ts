import type { Rule } from '../rule-kit/rule';
import type { World } from '../world/world';

/**
 * Up to when every source the rule read has reported all it knows: the oldest of their watermarks,
 * empty while one has none. A kind that is not installed is as fresh as the list of definitions
 * that shows it.
 */
export function watermarkOf(rule: Rule, world: World): string {
  let oldest: string | undefined;
  for (const kind of [rule.subject, ...rule.reads]) {
    const through =
      world.streamOf(world.notInstalled(kind) ? 'CustomResourceDefinition' : kind)
        ?.observedThrough ?? '';
    if (oldest === undefined || through < oldest) oldest = through;
  }
  return oldest ?? '';
}

import type { Unknown } from '@ovn-steward/contracts/findings/finding';
import { referenceTo } from '../world/entity';
import type { World } from '../world/world';
import { isUnread, type Judge } from './judge';
import type { Units } from './units';

/**
 * What cannot be judged now: whole rules first, then single subjects.
 *
 * @param unknown why, by unit.
 */
export function unknownsOf(
  judges: readonly Judge[],
  units: Units,
  unknown: ReadonlyMap<number, string>,
  world: World,
): readonly Unknown[] {
  const rules = judges
    .filter((it) => it.withheld && !isUnread(it, world))
    .map((it): Unknown => ({ rule: it.rule.id, subject: null, reason: it.withheld }));
  const subjects: Unknown[] = [];
  for (const [id, reason] of unknown) {
    const unit = units.get(id);
    const judge = unit && judges[unit.rule]!;
    const entity = unit && !judge!.withheld && world.entity(unit.kind, unit.uid);
    if (entity) subjects.push({ rule: judge!.rule.id, subject: referenceTo(entity), reason });
  }
  return [...rules, ...subjects];
}

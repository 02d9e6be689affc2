import { databases } from '../relations/databases';
import type { Entity, Kind } from '../world/entity';
import type { View } from './view';

/** What a rule that calls `otherSouthbound` reads. */
export const DATABASE_KINDS = ['NB_Global', 'SB_Global'] as const satisfies readonly Kind[];

/**
 * ovn-northd makes both at random where nobody set them, keeps them in the Northbound and copies
 * them (ovn-nb(5), NB_Global).
 */
const COPIED = ['mac_prefix', 'svc_monitor_mac'] as const;

/**
 * Why the Southbound that was read may be that of another network; undefined where ovn-northd wrote
 * both databases, as two random MAC addresses show that both have, and both were read at one time.
 */
export function otherSouthbound(view: View<(typeof DATABASE_KINDS)[number]>): string | undefined {
  const [northbound, southbound] = DATABASE_KINDS.map((it) =>
    optionsOf(view.related(databases, it)),
  );
  const differs = COPIED.find((it) => !northbound?.[it] || northbound[it] !== southbound?.[it]);
  return differs === undefined
    ? view.southboundApart()
    : `nothing shows that the Southbound is that of this Northbound: options:${differs} of NB_Global and SB_Global is not the same`;
}

const optionsOf = ([only, second]: readonly Entity[]): Readonly<Record<string, string>> =>
  only && !second ? ((only as Entity<'NB_Global'>).object.options ?? {}) : {};

import type { NbRow, Neighbourhood } from '../ownership/grammar/row';
import { textNames } from '../ownership/references';
import { bearingChildren } from '../relations/bearing-children';
import { protectingChildren } from '../relations/protecting-children';
import { referrersByName } from '../relations/referrers-by-name';
import { referrersByUid } from '../relations/referrers-by-uid';
import { rowByUid } from '../relations/row-by-uid';
import type { Cell } from '../world/cell';
import { cell } from '../world/cell';
import type { Entity } from '../world/entity';
import type { ReadableWorld } from '../world/readable';
import type { Relation } from '../world/relation';

/** A few suffice: one foreign child protects as well as a thousand. */
const ENOUGH = 8;
/**
 * Strong references form short chains (router, port, chassis); a longer one is a loop in a broken
 * database.
 */
const DEEPEST = 6;

/**
 * Notified of every read of a cell, where anybody needs to know, and of every query whether a kind
 * is known.
 */
interface Trackers {
  readonly onRead?: (cell: Cell) => void;
  readonly believed: (kind: string) => void;
}

/** What ownership may read of the world, each read reported to the caller. */
export function neighbourhoodOf(
  world: ReadableWorld,
  { onRead, believed }: Trackers,
): Neighbourhood {
  /**
   * Of what a relation with `same` finds only the table, the name, the holders and `localEvidence`
   * may be read: see `isSameNeighbour`.
   */
  const find = ({ id, same }: Relation, key: string, limit?: number): readonly Entity[] => {
    onRead?.(same ? cell.aspect(id, key) : cell.relation(id, key));
    return world.related(id, key, limit);
  };

  const childrenThatProtect = (uid: string, depth: number): NbRow[] => {
    const found: NbRow[] = [...find(protectingChildren, uid, ENOUGH)];
    if (found.length > 0 || depth >= DEEPEST) return found;
    for (const child of find(bearingChildren, uid)) {
      const below = childrenThatProtect(child.uid, depth + 1);
      if (below.length > 0) return below;
    }
    return found;
  };

  return {
    /**
     * UUIDs are unique per table, not per database: a uid two rows share resolves to none, and
     * unresolved protects.
     */
    row(uid) {
      const rows = find(rowByUid, uid);
      return rows.length === 1 ? rows[0] : undefined;
    },
    protectingChildren: (uid) => childrenThatProtect(uid, 0),
    referrers: (row) => referrersOf(row, find),
    presence(kind, key) {
      onRead?.(cell.presence(kind, key));
      if (world.hasKey(kind, key)) return 'present';
      believed(kind);
      return world.knows(kind) ? 'absent' : 'unknown';
    },
  };
}

/** Without the rows that hold it. */
function referrersOf(
  row: NbRow,
  find: (relation: Relation, key: string) => readonly Entity[],
): readonly NbRow[] {
  const found = new Set<NbRow>(find(referrersByUid, row.uid));
  for (const name of textNames(row))
    for (const referrer of find(referrersByName, name)) found.add(referrer);
  const groups = row.object['_port_groups'];
  if (Array.isArray(groups))
    for (const uid of groups as string[]) for (const group of find(rowByUid, uid)) found.add(group);
  const parents = row.object['_parents'];
  if (Array.isArray(parents))
    for (const { uid } of parents as { uid: string }[])
      for (const nbRow of found) if (nbRow.uid === uid) found.delete(nbRow);
  return [...found];
}

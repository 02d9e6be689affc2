import type { NbRow } from './grammar/row';
import { parentsOf } from '../world/ovn-rows';
import { evidenceInFold, type LocalEvidence } from './local-evidence';

/**
 * Whether to its neighbours (`Neighbourhood`) the one row is the same as the other: their tables,
 * names, holders and what they say of their owner are. Thousands of ports depend on their switch
 * and their groups, of which other columns change far more often.
 */
export const isSameNeighbour = (before: NbRow, after: NbRow): boolean =>
  before.kind === after.kind &&
  before.name === after.name &&
  isSameEvidence(evidenceInFold(before), evidenceInFold(after)) &&
  haveSameHolders(before, after);

const isSameEvidence = (one: LocalEvidence, other: LocalEvidence): boolean =>
  one === other ||
  (one.owner === other.owner &&
    one.strength === other.strength &&
    one.evidence.length === other.evidence.length &&
    one.evidence.every((it, index) => it === other.evidence[index]));

function haveSameHolders(before: NbRow, after: NbRow): boolean {
  const held = parentsOf(before);
  const now = parentsOf(after);
  return (
    held.length === now.length &&
    held.every(({ kind, uid, column }, index) => {
      const other = now[index]!;
      return kind === other.kind && uid === other.uid && column === other.column;
    })
  );
}

import type { LocalEvidence } from './local-evidence';
import { localEvidence, protects } from './local-evidence';
import type { NbRow, Neighbourhood } from './grammar/row';
import { titleOf } from './grammar/row';
import { parentsOf } from '../world/ovn-rows';

/**
 * Strong references form short chains (router, port, group, chassis); a longer one is a loop in a
 * broken database.
 */
const DEEPEST = 6;

/** Why the row's holders keep it, and whose they are. */
interface Hold {
  readonly owner: LocalEvidence['owner'];
  readonly reason: string;
}

/**
 * Rule 5: a holder, or a holder of a holder, that is foreign or unknown by its own evidence, or is
 * not to be found. A holder that is merely kept because of some other child of its own does not
 * keep this one.
 */
export function protectingHolder(
  row: NbRow,
  neighbourhood: Neighbourhood,
  depth = 0,
): Hold | undefined {
  for (const { kind, uid, column } of parentsOf(row)) {
    const parent = neighbourhood.row(uid);
    if (!parent || depth >= DEEPEST)
      return {
        owner: 'unknown',
        reason: `held by ${kind} ${uid} (${column}), about which nothing is known`,
      };
    const evidence = localEvidence(parent);
    if (protects(evidence, parent)) {
      const owner =
        evidence.owner === 'none' || evidence.owner === 'kube-ovn' ? 'unknown' : evidence.owner;
      return {
        owner,
        reason: `held by ${titleOf(parent)} (${column}), which is ${owner === 'unknown' ? "not proven Kube-OVN's" : `${owner}'s`}: ${evidence.evidence[0]}`,
      };
    }
    const above = protectingHolder(parent, neighbourhood, depth + 1);
    if (above) return above;
  }
  return undefined;
}

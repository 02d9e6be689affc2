import { gatewayNodes } from './grammar/kube-ovn-keys';
import type { LocalEvidence } from './local-evidence';
import type { NbRow, Neighbourhood } from './grammar/row';
import { mapOf, titleOf, valueOf } from './grammar/row';
import { parentsOf } from '../world/ovn-rows';

/**
 * Why a row that appears to be Kube-OVN's is kept all the same, and how sure it is that it is
 * Kube-OVN's.
 */
export interface Doubt {
  readonly confidence: 1 | 2 | 3;
  readonly reason: string;
}

/**
 * Tables whose rows live only in another row, with the key by which Kube-OVN records the name of
 * that row, if it does.
 */
const HELD: ReadonlyMap<string, string | undefined> = new Map([
  ['Logical_Switch_Port', 'ls'],
  ['Logical_Router_Port', 'lr'],
  ['ACL', 'parent'],
  ['Logical_Router_Static_Route', undefined],
  ['Logical_Router_Policy', undefined],
  ['Load_Balancer_Health_Check', undefined],
]);

/**
 * The object a switch or router stands for, of the same name; a mirrored router of somebody else
 * has a Vpc too.
 */
const STANDS_FOR: ReadonlyMap<string, string> = new Map([
  ['Logical_Switch', 'Subnet'],
  ['Logical_Router', 'Vpc'],
]);

/**
 * The neighbours' half of rule 7: what is left to check once the row agrees with itself and nobody
 * else keeps it.
 */
export function doubtAbout(
  row: NbRow,
  own: LocalEvidence,
  neighbourhood: Neighbourhood,
): Doubt | undefined {
  return (
    doubtByItself(row, own, neighbourhood) ??
    doubtAboutHolder(row, neighbourhood) ??
    doubtInCluster(row, neighbourhood)
  );
}

function doubtByItself(
  row: NbRow,
  own: LocalEvidence,
  neighbourhood: Neighbourhood,
): Doubt | undefined {
  if (own.strength >= 3) return undefined;
  // The balancer of an OvnDnatRule has a free name; that it is attached to a router of Kube-OVN's
  // completes the proof.
  if (
    row.kind === 'Load_Balancer' &&
    own.strength === 2 &&
    neighbourhood.referrers(row).some((it) => it.kind === 'Logical_Router')
  )
    return undefined;
  return {
    confidence: own.strength === 2 ? 2 : 1,
    reason: 'nothing proves that it may be removed by itself',
  };
}

function doubtAboutHolder(row: NbRow, neighbourhood: Neighbourhood): Doubt | undefined {
  if (!HELD.has(row.kind)) return undefined;
  const [holder, ...more] = parentsOf(row);
  if (!holder) return { confidence: 1, reason: 'no row is known to hold it' };
  if (more.length > 0)
    return {
      confidence: 1,
      reason: `${more.length + 1} rows hold it, and Kube-OVN puts such a row into one`,
    };
  const key = HELD.get(row.kind);
  const parent = neighbourhood.row(holder.uid);
  if (key === undefined || !parent) return undefined;
  const named = valueOf(mapOf(row, 'external_ids'), key);
  return named === parent.name
    ? undefined
    : { confidence: 1, reason: `its key ${key} names ${named}, but ${titleOf(parent)} holds it` };
}

function doubtInCluster(row: NbRow, neighbourhood: Neighbourhood): Doubt | undefined {
  const kind = STANDS_FOR.get(row.kind);
  const presence = kind ? neighbourhood.presence(kind, row.name) : 'absent';
  if (presence !== 'absent')
    return {
      confidence: 3,
      reason:
        presence === 'present'
          ? `${kind} ${row.name} exists`
          : `not known whether ${kind} ${row.name} exists`,
    };
  const stranger = gatewayNodes(row).find(
    (node) => neighbourhood.presence('Node', node) !== 'present',
  );
  return stranger === undefined
    ? undefined
    : { confidence: 1, reason: `its key ${stranger} is no name of a known Node` };
}

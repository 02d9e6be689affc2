import { PROTECT } from '@ovn-steward/shared/marks';
import { forLastTwo } from '../world/for-last-two';
import type { ForeignOwner } from './foreign-keys';
import { foreignKeys, isMovedMac } from './foreign-keys';
import { foreignNameOwner } from './foreign-names';
import { GRAMMAR } from './kube-ovn-grammar';
import { isKubeOvnKey, VENDOR } from './grammar/kube-ovn-keys';
import { KNOWN_COLUMNS, unknownColumn } from './known-columns';
import { ovnIcMark } from './ovn-ic';
import { PROTECTED_TABLES } from './protected-tables';
import type { NbRow } from './grammar/row';
import type { StringMap } from '../world/ovn-rows';
import { mapOf, columnText, valueOf } from './grammar/row';

/** What a row says about its owner by itself. */
export interface LocalEvidence {
  /**
   * `user`: a person requested to keep it. `unknown`: of another owner, or contradictory. `none`:
   * no key and no name that identifies its owner.
   */
  readonly owner: ForeignOwner | 'user' | 'system' | 'shared' | 'kube-ovn' | 'unknown' | 'none';
  /**
   * 3 certain, 2 strong, 1 weak, 0 none. For kube-ovn: 3 keys and name agree, 2 not contradicted, 1
   * agree but untagged (before 1.15).
   */
  readonly strength: 0 | 1 | 2 | 3;
  readonly evidence: readonly string[];
}

const NOTHING: LocalEvidence = Object.freeze({
  owner: 'none',
  strength: 0,
  evidence: ['no external_ids and no name that tells its writer'],
});
const MOVED_MAC: LocalEvidence = Object.freeze({
  owner: 'none',
  strength: 0,
  evidence: ['its one key, neutron:fip_external_mac, is put by Neutron on NAT rows of any owner'],
});
const PART: LocalEvidence = Object.freeze({
  owner: 'kube-ovn',
  strength: 2,
  evidence: ['carries only keys Kube-OVN puts on such parts, which go with their holder'],
});
const HEALTH_CHECK: LocalEvidence = Object.freeze({
  owner: 'kube-ovn',
  strength: 3,
  evidence: ["names the subnet it checks from, as Kube-OVN's health checks do"],
});

const PRIVATE_PARTS: ReadonlySet<string> = new Set([
  'Gateway_Chassis',
  'HA_Chassis',
  'Meter_Band',
  'Load_Balancer_Health_Check',
]);

/** Tables whose rows are a part of the one row that holds them, whose owner is theirs. */
export const isPrivatePart = (table: string): boolean => PRIVATE_PARTS.has(table);

/**
 * Whether a row of the table can prove by its own keys and name, beyond doubt, that it is
 * Kube-OVN's.
 */
export const canBeProven = (table: string): boolean =>
  GRAMMAR.has(table) || table === 'Load_Balancer_Health_Check';

/**
 * Rules 1 to 4 and the row's own half of 7 (docs/ownership.md): the owner of the row by its own
 * columns, without reading any other row. Pure; for one row object always the same answer, so it
 * may be kept with the row.
 */
export function localEvidence(row: NbRow): LocalEvidence {
  const ids = mapOf(row, 'external_ids');
  if (Object.hasOwn(ids, PROTECT))
    return of('user', 3, `a person keeps it: ${PROTECT}=${ids[PROTECT]}`);
  if (!KNOWN_COLUMNS.has(row.kind)) return inOtherTable(row);
  const mark = ovnIcMark(row);
  if (mark) return of('ovn-ic', 3, mark);
  if (isMovedMac(row) && unknownColumn(row.kind, row.object) === undefined) return MOVED_MAC;

  let stranger: string | undefined;
  let bare = true;
  for (const key in ids) {
    if (!Object.hasOwn(ids, key)) continue;
    bare = false;
    if (!isKubeOvnKey(row, key, ids[key])) stranger ??= key;
  }
  // A key of another writer is always a stranger's, but for the one that differs by its value
  // (pod=true).
  const foreign = stranger !== undefined ? foreignKeys(row) : undefined;
  if (foreign) return { owner: foreign.owner, strength: 3, evidence: foreign.evidence };
  const named = foreignNameOwner(
    row.kind,
    row.kind === 'BFD' ? columnText(row, 'logical_port') : row.name,
  );
  if (named) return of(named, 2, `${row.kind}s with a name like ${row.name} are ${named}'s`);
  const column = unknownColumn(row.kind, row.object);
  if (column !== undefined)
    return of(
      'unknown',
      0,
      `fills column ${column}, which this version does not know and which may refer to others`,
    );
  if (stranger !== undefined)
    return of('unknown', 0, `key ${stranger} is none of Kube-OVN's on a ${row.kind}`);
  return bare ? NOTHING : ownHalf(row, ids);
}

/** The row's own half of the proof that it is Kube-OVN's, all its keys being Kube-OVN's. */
function ownHalf(row: NbRow, ids: StringMap): LocalEvidence {
  const tag = valueOf(ids, 'vendor');
  if (tag !== '' && tag !== VENDOR) return of('unknown', 0, `vendor is ${tag}`);
  if (isPrivatePart(row.kind))
    return row.kind === 'Load_Balancer_Health_Check' ? HEALTH_CHECK : PART;
  const grammar = GRAMMAR.get(row.kind);
  if (!grammar) return of('unknown', 0, `Kube-OVN puts no keys on a ${row.kind}`);
  const { strength, reason } = grammar(row, ids);
  if (tag === '') return untagged(row, ids, strength);
  return strength === 0 ? of('unknown', 0, reason) : kubeOvn(strength, reason);
}

/**
 * Before 1.15 port groups had all keys but the tag. Such a group is kept, yet does not make its
 * members somebody else's.
 */
function untagged(row: NbRow, ids: StringMap, strength: number): LocalEvidence {
  if (row.kind === 'Port_Group' && strength >= 2)
    return of('kube-ovn', 1, 'its keys reproduce its name, but the tag vendor=kube-ovn is missing');
  return of(
    'unknown',
    0,
    `has Kube-OVN's key ${Object.keys(ids)[0]} but not its tag vendor=kube-ovn`,
  );
}

/** Rule 1. A key or name may still identify the owner. */
function inOtherTable(row: NbRow): LocalEvidence {
  const table = PROTECTED_TABLES.get(row.kind);
  const reason = table
    ? `Kube-OVN writes nothing into ${row.kind}`
    : `${row.kind} is a table this version does not know`;
  if (table === 'system') return of('system', 3, reason);
  const foreign = foreignKeys(row);
  if (foreign)
    return { owner: foreign.owner, strength: 3, evidence: [reason, ...foreign.evidence] };
  return of(foreignNameOwner(row.kind, row.name) ?? table ?? 'unknown', 3, reason);
}

/** The same for relations, several of which ask it of the old and the new row of one change. */
export const evidenceInFold = forLastTwo(localEvidence);

const of = (
  owner: LocalEvidence['owner'],
  strength: LocalEvidence['strength'],
  reason: string,
): LocalEvidence => ({ owner, strength, evidence: [reason] });

const known = new Map<string, LocalEvidence>();

/** One object per sentence: most of 200,000 rows say one of a dozen things. */
function kubeOvn(strength: 2 | 3, reason: string): LocalEvidence {
  let localEvidence = known.get(reason);
  if (!localEvidence)
    known.set(reason, (localEvidence = Object.freeze(of('kube-ovn', strength, reason))));
  return localEvidence;
}

/**
 * Whether a row with this evidence keeps the rows it belongs to and refers to: all but Kube-OVN's
 * own and keyless parts do.
 */
export function protects(evidence: LocalEvidence, row: NbRow): boolean {
  if (evidence.owner === 'kube-ovn') return evidence.strength < 2;
  return !(evidence.owner === 'none' && isPrivatePart(row.kind));
}

import type { Replica, Row } from '@ovn-steward/ovsdb';
import { isPrivatePart, localEvidence } from '@ovn-steward/judgement/ownership/local-evidence';
import type { NbRow } from '@ovn-steward/judgement/ownership/grammar/row';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { type ReferredBy, referrersIn } from './references';

/** Whose a row is, as far as restoring goes. */
export interface RowOwner {
  /** As in findings: `kube-ovn`, `neutron`, …, `system`, `unknown`. */
  readonly owner: string;
  /** A person marked it to be kept as it is (`ovn-steward.dev/protect`). */
  readonly kept: boolean;
}

/**
 * Strong references form short chains (router, port, chassis); a longer one is a loop in a broken
 * database.
 */
const DEEPEST = 6;

/**
 * The owner that `localEvidence` returns for a row that a person wants kept; `byHolders` then
 * determines the row's owner.
 */
const USER = 'user';

/**
 * The owner of each row of a database: by the keys and names on the row (docs/ownership.md, rules 1
 * to 4), and where these say nothing, by the rows that hold it. Unlike in the judgement on garbage,
 * other rows that hold or use a row do not make it theirs: what is put back here was its owner's.
 */
export function ownersIn(replica: Replica): (row: Row) => RowOwner {
  const roleOf = createRoles('ovn-nb');
  const referrers = referrersIn(replica);
  const known = new Map<string, RowOwner>();

  const trimmed = (row: Row): NbRow => ({
    kind: row.table,
    uid: row.uuid,
    name: rowName(row),
    object: rowObject(row, (column) => roleOf(row.table, column), [], []),
  });
  const holdersOf = (row: Row): Row[] =>
    (referrers.get(rowKey(row.table, row.uuid)) ?? [])
      .filter(isStrong)
      .flatMap((by) => replica.get(by.table, by.uuid) ?? []);
  /**
   * What is Kube-OVN's alone goes on to what it marks with no key; a row with a stranger's key in
   * its switch is somebody's.
   */
  const byHolders = (row: Row, depth: number, bare: boolean): string => {
    const [only, ...more] = new Set(
      depth < DEEPEST ? holdersOf(row).map((it) => of(it, depth + 1).owner) : [],
    );
    if (only === undefined || more.length > 0) return 'unknown';
    return only !== 'kube-ovn' || (bare && (isPrivatePart(row.table) || row.table === 'NAT'))
      ? only
      : 'unknown';
  };
  const judged = (row: Row, depth: number): RowOwner => {
    const { owner } = localEvidence(trimmed(row));
    const undecided = owner === 'none' || owner === 'unknown' || owner === USER;
    return {
      owner: undecided ? byHolders(row, depth, owner === 'none') : owner,
      kept: owner === USER,
    };
  };
  const of = (row: Row, depth = 0): RowOwner => {
    const key = rowKey(row.table, row.uuid);
    let found = known.get(key);
    if (!found) {
      found = judged(row, depth);
      known.set(key, found);
    }
    return found;
  };
  return (row) => of(row);
}

const isStrong = ({ column }: ReferredBy): boolean => column.strength === 'strong';

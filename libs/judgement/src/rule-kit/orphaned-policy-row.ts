import { ADMIN_POLICY_KINDS, keyOfAdminPolicy } from '../kube-ovn/admin-policies';
import type { Fact, Remedy } from '@ovn-steward/contracts/findings/finding';
import type { Verdict } from './rule';
import { healthy, unknown, violation } from './rule';
import type { Entity, Kind } from '../world/entity';
import { keyOf } from '../world/entity';
import { portsByGroup } from '../relations/ports-by-group';
import { goneNodeHalf } from './group-on-node';
import { livingReferrer } from './living-referrer';
import { ownerByRowName } from './owner-by-row-name';
import {
  POLICY_OWNER_KINDS,
  type PolicyOwnerKind,
  type PolicyReading,
  readingsOf,
} from '../kube-ovn/policy-readings';
import { absentOwners, presenceOf } from './policy-owners';
import { ownerOfPolicyRow } from './policy-row-owner';
import type { View } from './view';
import { absent, unchanged, unclaimed, value } from './facts';

/** What a rule on such a row reads; it consults `ADMIN_POLICY_KINDS` as well. */
export const POLICY_ROW_KINDS = [
  ...POLICY_OWNER_KINDS,
  'ACL',
  'Port_Group',
  'Logical_Router',
  'Logical_Switch',
  'Logical_Switch_Port',
] as const satisfies readonly Kind[];

/** What a rule adds to the verdict on its own kind of row. */
export interface PolicyRow {
  /** `port group`, `address set`. */
  readonly what: string;
  readonly remedy: Remedy;
  /**
   * Called only when the row is garbage: what else its removal does, as the end of a sentence for
   * the person who decides.
   */
  readonly then?: () => string | undefined;
  /** Called only when the row is garbage. */
  readonly concerns?: () => readonly Entity[];
}

/**
 * The verdict on a row Kube-OVN writes for a policy, group, node, subnet, pool or VPC: garbage once
 * every owner its keys can be read as is deleted, no living object uses a row of that name, and
 * nothing that stays names it. Port groups and address sets share it.
 */
export function orphanedPolicyRow(
  row: Entity<'Port_Group'> | Entity<'Address_Set'>,
  view: View<(typeof POLICY_ROW_KINDS)[number] | PolicyOwnerKind | 'Address_Set'>,
  { what, remedy, then, concerns }: PolicyRow,
): Verdict {
  const owner = ownerOfPolicyRow(row, view);
  if (!owner) return healthy;
  const readings = readingsOf(row.object.external_ids ?? {});
  if (!readings) return healthy;
  const each = readings.map((it) => presenceOf(it, view));
  const node = each.includes('present') ? goneNodeHalf(row, view) : undefined;
  if (each.includes('present') && node === undefined) return healthy;
  const isAdmins = readings.flat().some(({ kind }) => ADMIN_POLICY_KINDS.some((it) => it === kind));
  if (each.includes('unknown') || (isAdmins && !ADMIN_POLICY_KINDS.every((it) => view.knows(it))))
    return unknown(`not every possible owner of ${what} ${row.name} is known`);
  const other = ownerByRowName(row, view);
  if (other && isGroupOf(row, other)) return healthy;
  if (other)
    return unknown(
      `the owner of ${what} ${row.name} is gone, but ${other.kind} ${keyOf(other)} has a ${what} of that name`,
    );
  const reader = livingReferrer(row, view);
  if (reader)
    return unknown(
      `the owner of ${what} ${row.name} is gone, but ${reader.kind} ${reader.name || reader.uid} still names it`,
    );

  if (node !== undefined && view.has(portsByGroup, row.uid))
    return unknown(`no Node is called ${node} in OVN, but ${what} ${row.name} has ports`);

  const { clause, proof } =
    node === undefined
      ? withoutOwner(absentOwners(readings, view), row)
      : {
          clause: `is of a Subnet on a Node that is called ${node} in OVN, where - becomes ., and no such Node exists`,
          proof: [unclaimed('Node', 'metadata.name, with . for -', node)],
        };
  const effect = then?.();
  return violation({
    summary: `${what} ${row.name} ${clause}${effect === undefined ? '' : `; ${effect}`}`,
    owner,
    ...(concerns ? { concerns: concerns() } : {}),
    proof: [
      ...proof,
      value(row, 'external_ids', JSON.stringify(row.object.external_ids ?? {})),
      unchanged(row),
    ],
    ...(owner.verdict === 'candidate' && { remedy }),
  });
}

/** The key of a ClusterNetworkPolicy's group has dots for dashes: which it had is not known. */
const isFlattened = ({ kind }: Pick<Entity, 'kind'>, owner: string): boolean =>
  kind === 'Port_Group' && owner === 'ClusterNetworkPolicy';

function withoutOwner(
  gone: PolicyReading,
  row: Entity<'Port_Group'> | Entity<'Address_Set'>,
): { clause: string; proof: readonly Fact[] } {
  const hasDots = ({ kind, key }: PolicyReading[number]): boolean =>
    isFlattened(row, kind) && key.includes('.');
  const owner = gone[0]!;
  return {
    clause: hasDots(owner)
      ? `belongs to a ClusterNetworkPolicy that is called ${owner.key} in OVN, where - becomes ., and no such policy exists`
      : `belongs to ${owner.kind} ${owner.key}, which no longer exists`,
    proof: gone.map((named) =>
      hasDots(named)
        ? unclaimed(named.kind, 'metadata.name, with . for -', named.key)
        : absent(named.kind, named.key),
    ),
  };
}

/** Whether it is the group of that ClusterNetworkPolicy. */
const isGroupOf = (
  row: Entity<'Port_Group'> | Entity<'Address_Set'>,
  { kind, name }: Entity,
): boolean =>
  isFlattened(row, kind) &&
  row.object.external_ids?.['cnp'] === keyOfAdminPolicy({ kind: 'ClusterNetworkPolicy', name });

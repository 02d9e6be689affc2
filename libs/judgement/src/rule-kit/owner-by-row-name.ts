import type { AdminPolicyKind } from '../kube-ovn/admin-policies';
import { ownersByRowName } from '../relations/owners-by-row-name';
import type { Entity, Kind } from '../world/entity';
import { subnetsOnNode } from './subnet-on-node';
import type { View } from './view';

export type RowNameOwnerKind =
  'NetworkPolicy' | 'SecurityGroup' | 'IPPool' | 'Node' | 'Subnet' | 'Vpc' | AdminPolicyKind;

/** What the names of address sets have behind that of their owner. */
const TAIL =
  /(?:\.(?:ingress|egress)\.(?:allow|except)\.IPv[46]\.(?:\d+|all)|\.associated\.v[46]|\.ip[46])$/;

/**
 * An object that exists and whose port group or address set would have this very name, whatever the
 * row's keys say: when two names become one in OVN, the row serves both, and neither may be judged
 * by the other's end (kube-ovn.md §3.4, row 69).
 *
 * @param but a kind that is left out: that of the row's own owner, where it exists.
 */
export function ownerByRowName(
  row: Entity<'Port_Group' | 'Address_Set'>,
  view: View<RowNameOwnerKind>,
  but?: RowNameOwnerKind,
): Entity<Kind> | undefined {
  const stem = row.kind === 'Address_Set' ? row.name.replace(TAIL, '') : row.name;
  const stems = row.kind === 'Address_Set' ? [stem, ...adminStems(row.name)] : [stem];
  const [owner] = stems
    .flatMap((it) => view.related(ownersByRowName, it))
    .filter((it) => it.kind !== but && (row.kind === 'Address_Set' || it.kind !== 'IPPool'));
  if (owner || row.kind === 'Address_Set') return owner;
  return subnetsOnNode(stem, view)[0];
}

/**
 * What stands before place and name of a rule in an address set of an administrator's policy; the
 * name may look like a place itself.
 */
const adminStems = (name: string): string[] =>
  [...name.matchAll(/\.(?:ingress|egress)(?=\.\d+\.)/g)].map((it) => name.slice(0, it.index));

import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { kindOfKeys } from '../ownership/grammar/names';
import { localEvidence } from '../ownership/local-evidence';
import { aclsByHolder } from '../relations/acls-by-holder';
import { portsByGroup } from '../relations/ports-by-group';
import type { Entity } from '../world/entity';
import { parentsOf } from '../world/ovn-rows';
import type { View } from './view';

/**
 * The keys of what some release before v1.15 leaves for good (pkg/controller/gc.go): v1.13 and v1.14
 * the sets of an AdminNetworkPolicy and of a BaselineAdminNetworkPolicy (seen beside v1.14.41),
 * v1.12 the group and the sets of a SecurityGroup (seen beside v1.12.35).
 */
const NEVER_COLLECTED: Readonly<Record<'Port_Group' | 'Address_Set', ReadonlySet<string>>> = {
  Port_Group: new Set(['sg type']),
  Address_Set: new Set(['anp', 'banp', 'sg']),
};

/**
 * Whose the row is; undefined where it is not shown to be Kube-OVN's. Releases before v1.15 give no
 * tag: what one of them does not collect at a start itself is theirs where it would be with the tag.
 */
export function ownerOfPolicyRow(
  row: Entity<'Port_Group'> | Entity<'Address_Set'>,
  view: View<'ACL' | 'Logical_Switch_Port'>,
): Ownership | undefined {
  const owner = view.ownership(row);
  if (owner.verdict === 'candidate') return owner;
  if (!NEVER_COLLECTED[row.kind].has(kindOfKeys(row.object.external_ids ?? {}))) return undefined;
  // Not its own keys, but who holds it or refers to it, may speak against that.
  const isUntaggedOnly =
    row.kind === 'Port_Group'
      ? isMadeByOne(row, view)
      : owner.owner === 'unknown' && owner.confidence === 0;
  const evidence = isUntaggedOnly ? evidenceWithTag(row, 3) : undefined;
  return (
    evidence && {
      ...owner,
      owner: 'kube-ovn',
      confidence: 1,
      evidence: [...evidence, 'releases before v1.15 give it no tag', ...owner.evidence],
    }
  );
}

/**
 * A group that nothing holds and no port is in, whose rules would be Kube-OVN's as well if they had
 * the tag, and which nothing else names.
 */
function isMadeByOne(
  group: Entity<'Port_Group'>,
  view: View<'ACL' | 'Logical_Switch_Port'>,
): boolean {
  if (parentsOf(group).length > 0 || view.has(portsByGroup, group.uid)) return false;
  const rules = view.related(aclsByHolder, group.uid);
  return (
    rules.every(
      (it) => it.object.external_ids?.['parent'] === group.name && evidenceWithTag(it, 2),
    ) && view.referrers(group).every((it) => rules.some(({ uid }) => uid === it.uid))
  );
}

/** What shows that the untagged row would be Kube-OVN's if it had the tag; undefined if nothing. */
function evidenceWithTag(
  row: Entity<'Port_Group' | 'Address_Set' | 'ACL'>,
  least: number,
): readonly string[] | undefined {
  const ids = row.object.external_ids ?? {};
  if (Object.hasOwn(ids, 'vendor')) return undefined;
  const tagged = { ...row.object, external_ids: { ...ids, vendor: 'kube-ovn' } };
  const { owner, strength, evidence } = localEvidence({ ...row, object: tagged });
  return owner === 'kube-ovn' && strength >= least ? evidence : undefined;
}

import type { Ownership } from '@ovn-steward/contracts/findings/finding';
import { kindOfKeys } from '../ownership/grammar/names';
import { localEvidence } from '../ownership/local-evidence';
import type { Entity } from '../world/entity';
import type { View } from './view';

/** The key of a set of an AdminNetworkPolicy, and of a BaselineAdminNetworkPolicy. */
const OF_ADMINS: ReadonlySet<string> = new Set(['anp', 'banp']);

/**
 * Whose the row is; undefined where it is not shown to be Kube-OVN's. v1.13 and v1.14 give no tag:
 * what they do not collect at a start themselves, the sets of policies of administrators
 * (pkg/controller/gc.go; seen beside v1.14.41), is theirs where it would be with the tag.
 */
export function ownerOfPolicyRow(
  row: Entity<'Port_Group'> | Entity<'Address_Set'>,
  view: View<never>,
): Ownership | undefined {
  const owner = view.ownership(row);
  if (owner.verdict === 'candidate') return owner;
  const ids = row.object.external_ids ?? {};
  const isOfAdmins = row.kind === 'Address_Set' && OF_ADMINS.has(kindOfKeys(ids));
  // Not its own keys, but who holds it or refers to it, may speak against that.
  const isUntaggedOnly = owner.owner === 'unknown' && owner.confidence === 0;
  if (!isOfAdmins || Object.hasOwn(ids, 'vendor') || !isUntaggedOnly) return undefined;
  const tagged = { ...row.object, external_ids: { ...ids, vendor: 'kube-ovn' } };
  const { owner: its, strength, evidence } = localEvidence({ ...row, object: tagged });
  if (its !== 'kube-ovn' || strength < 3) return undefined;
  return {
    ...owner,
    owner: 'kube-ovn',
    confidence: 1,
    evidence: [...evidence, 'releases before v1.15 give it no tag', ...owner.evidence],
  };
}

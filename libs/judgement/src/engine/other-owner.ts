import { isKubeOvnKey } from '../ownership/grammar/kube-ovn-keys';
import { mapOf } from '../ownership/grammar/row';
import { localEvidence } from '../ownership/local-evidence';
import type { Entity } from '../world/entity';

/**
 * Tables in which every row of Kube-OVN's has a key, in each release seen (v1.12 to v1.17-dev;
 * docs/domain).
 */
const KEYED: ReadonlySet<string> = new Set([
  'Logical_Switch',
  'Logical_Switch_Port',
  'Logical_Router',
  'Logical_Router_Port',
  'Logical_Router_Policy',
  'Port_Group',
  'Address_Set',
  'ACL',
  'DHCP_Options',
]);

/** Since v1.15 those have one too; NB_Global says that such a release was there. */
const KEYED_SINCE_TAGS: ReadonlySet<string> = new Set([
  'Load_Balancer',
  'Logical_Router_Static_Route',
]);

/** Switches that Kube-OVN uses without a key of its own. */
const SHARED = /^(?:ts|ovn-external)$/;

/**
 * Whose the row is, where it is not Kube-OVN's: a name of `localEvidence`, or `unknown` for one
 * made by hand. Undefined for a row that is Kube-OVN's or may be.
 *
 * @param tags whether Kube-OVN tags all its rows (`NB_Global.external_ids:kube-ovn-version`).
 */
export function otherOwner(row: Entity, tags: boolean): string | undefined {
  const { owner } = localEvidence(row);
  if (owner === 'kube-ovn' || owner === 'system' || owner === 'shared') return undefined;
  if (owner === 'none') {
    if (row.kind === 'Logical_Switch' && SHARED.test(row.name)) return undefined;
    return KEYED.has(row.kind) || (tags && KEYED_SINCE_TAGS.has(row.kind)) ? 'unknown' : undefined;
  }
  if (owner !== 'unknown') return owner;
  const keys = Object.entries(mapOf(row, 'external_ids'));
  const isOwn = keys.every(([key, held]) => isKubeOvnKey(row, key, held));
  return isOwn && (!tags || row.kind === 'ACL') ? undefined : 'unknown';
}

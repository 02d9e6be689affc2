import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { Failure } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';

/**
 * @throws Failure `config-invalid` where the two are of different clusters, or given the wrong way
 *   round: every finding would count as new or as resolved.
 */
export function requireComparable(before: AuditDocument, after: AuditDocument): void {
  if (before.cluster !== after.cluster)
    throw new Failure(
      'config-invalid',
      `The first audit is of the cluster ${safeText(before.cluster)}, the second of ${safeText(after.cluster)}: only two of one cluster can be compared. --cluster names the cluster when an audit is made.`,
    );
  if (Date.parse(before.asOf) > Date.parse(after.asOf))
    throw new Failure(
      'config-invalid',
      `The first audit is of ${safeText(before.asOf, 40)} and the second is older, of ${safeText(after.asOf, 40)}: give the older one first.`,
    );
}

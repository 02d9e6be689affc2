import { auditDocument } from './audit-document';
import type { ClusterView } from './findings-page';
import { pairingReport } from './pairing-report';
import type { ClusterStatus } from './schemas';

/** What is known of a cluster, in short. */
export function clusterStatus({ cluster, picture, ready }: ClusterView): ClusterStatus {
  const { sources, summary } = auditDocument(picture, cluster);
  const pairing = pairingReport(picture.pairing());
  return { cluster, asOf: picture.now || null, ready, sources, pairing, summary };
}

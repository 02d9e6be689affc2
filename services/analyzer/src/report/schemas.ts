import { refuseNoRule } from '@ovn-steward/judgement/rule-named';
import { IN_PAGES, OF_CLUSTER, ofRule, PAGE } from '@ovn-steward/service/http/page';
import { AuditDocument, AuditPairing, AuditSource } from '@ovn-steward/contracts/audit';
import { Finding, FindingClass, FindingState } from '@ovn-steward/contracts/findings/finding';
import { z } from 'zod';

/** A time of the sources. */
export const Time = z
  .string()
  .nullable()
  .describe(
    'RFC 3339, UTC, on the sources’ clock: what is said was true then. Null while nothing is known.',
  );

export const MissingStream = z.object({
  stream: z.string().describe('`ovn-nb`, or `kubernetes/` and a kind.'),
  reason: z
    .enum(['silent', 'listing', 'unavailable', 'stale'])
    .describe(
      'silent: it has not reported yet. listing: not yet read in full. unavailable: it cannot be read. stale: it has not reported for too long.',
    ),
  detail: z.string().describe('One sentence for a person.'),
});
export type MissingStream = z.infer<typeof MissingStream>;

export const Readiness = z.object({
  ready: z
    .boolean()
    .describe(
      'Whether everything that some rule needs is known in full and fresh. While false, findings may be missing.',
    ),
  missing: z.array(MissingStream),
});
export type Readiness = z.infer<typeof Readiness>;

/** The query of `GET /findings`. */
export const FindingsQuery = z.strictObject({
  ...OF_CLUSTER,
  state: FindingState.optional().describe(
    'Only these. Without it: all that are neither resolved nor suppressed.',
  ),
  ...ofRule(refuseNoRule),
  class: FindingClass.optional().describe('Only of this class.'),
  ...IN_PAGES,
});
export type FindingsQuery = z.infer<typeof FindingsQuery>;

export const FindingsPage = z.object({
  asOf: Time,
  ready: z
    .boolean()
    .describe('As in /readyz: while false, an empty list does not mean that nothing is wrong.'),
  total: PAGE.total,
  findings: z.array(Finding).describe('In the order of their ids.'),
  next: PAGE.next,
});
export type FindingsPage = z.infer<typeof FindingsPage>;

/** One cluster: its sources with what they hold and lack, and how many findings there are. */
export const ClusterStatus = z.object({
  cluster: z.string(),
  asOf: Time,
  ready: z.boolean(),
  sources: z.array(AuditSource).describe('As in the audit document.'),
  pairing: AuditPairing.describe(
    'Whether the Kubernetes is that of the Northbound, as in the audit document. Does not count for `ready`.',
  ),
  summary: AuditDocument.shape.summary,
});
export type ClusterStatus = z.infer<typeof ClusterStatus>;

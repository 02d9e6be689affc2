import { refuseNoRule } from '@ovn-steward/judgement/rule-named';
import { AuditDocument, AuditPairing, AuditSource } from '@ovn-steward/contracts/audit';
import { Finding, FindingClass, FindingState } from '@ovn-steward/contracts/findings/finding';
import { z } from 'zod';

const Time = z
  .string()
  .nullable()
  .describe(
    'RFC 3339, UTC, on the sources’ clock: what is said was true then. Null while nothing is known.',
  );

export const Missing = z.object({
  stream: z.string().describe('`ovn-nb`, or `kubernetes/` and a kind.'),
  reason: z
    .enum(['silent', 'listing', 'unavailable', 'stale'])
    .describe(
      'silent: it has said nothing yet. listing: not yet read in full. unavailable: it cannot be read. stale: nothing was heard for too long.',
    ),
  detail: z.string().describe('One sentence for a person.'),
});
export type Missing = z.infer<typeof Missing>;

export const Readiness = z.object({
  ready: z
    .boolean()
    .describe(
      'Whether everything that some rule needs is known in full and fresh. While false, findings may be missing.',
    ),
  missing: z.array(Missing),
});
export type Readiness = z.infer<typeof Readiness>;

/** The query of `GET /findings`. */
export const FindingsQuery = z.strictObject({
  cluster: z.string().min(1).max(253).optional().describe('Only of this cluster.'),
  state: FindingState.optional().describe('Only these. Without it: all that are not resolved.'),
  rule: z
    .string()
    .min(1)
    .max(100)
    .superRefine(refuseNoRule)
    .optional()
    .describe('Only of this rule.'),
  class: FindingClass.optional().describe('Only of this class.'),
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('At most so many.'),
  after: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only ids behind this one: the `next` of the answer before.'),
});
export type FindingsQuery = z.infer<typeof FindingsQuery>;

export const FindingsPage = z.object({
  asOf: Time,
  ready: z
    .boolean()
    .describe('As in /readyz: while false, an empty list does not mean that nothing is wrong.'),
  total: z.number().int().nonnegative().describe('How many match, on all pages.'),
  findings: z.array(Finding).describe('In the order of their ids.'),
  next: z.string().nullable().describe('Where the next page begins; null on the last.'),
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

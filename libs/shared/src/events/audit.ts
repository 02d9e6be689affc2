import { z } from 'zod';
import { Finding, Unknown } from './finding';

const Count = z.number().int().nonnegative();
const Counts = z.record(z.string(), Count);

/** One kind of a source: an OVN table, a Kubernetes kind. */
const AuditKind = z.object({
  kind: z.string().min(1),
  /** unavailable: it cannot be known now. listing: it was not yet read in full. Open enum on the wire. */
  state: z.enum(['complete', 'unavailable', 'listing']),
  /** Rows or objects known; all there are only when the state is complete. */
  count: Count,
  /** Why it is unavailable, as in the changes. */
  reason: z.string().optional(),
  /** One sentence for a person. */
  detail: z.string().optional(),
});

/** One source, and what is known and not known of it. */
export const AuditSource = z.object({
  /** `ovn-nb`, `ovn-sb`, `kubernetes`. */
  id: z.string().min(1),
  /** Whether every kind of it that exists and some rule needs is complete. */
  complete: z.boolean(),
  /** RFC 3339, UTC: what is said about it was true then; null when it was never heard of. */
  asOf: z.string().nullable(),
  detail: z.string().optional(),
  /** Rows or objects by kind. */
  counts: Counts,
  kinds: z.array(AuditKind),
});
export type AuditSource = z.infer<typeof AuditSource>;

/** What `steward audit` found, and what it could not know, in one document. */
export const AuditDocument = z.object({
  version: z.literal(1),
  cluster: z.string().min(1),
  /** RFC 3339, UTC. */
  asOf: z.string(),
  sources: z.array(AuditSource),
  findings: z.array(Finding),
  unknowns: z.array(Unknown),
  /** Numbers of findings (in all, by class, by severity, by rule; those without any are left out) and of unknowns. */
  summary: z.object({
    findings: Count,
    byClass: Counts,
    bySeverity: Counts,
    byRule: Counts,
    unknowns: Count,
  }),
});
export type AuditDocument = z.infer<typeof AuditDocument>;

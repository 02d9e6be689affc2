import { z } from 'zod';
import { Finding, Unknown } from './findings/finding';

const Count = z.number().int().nonnegative();
const Counts = z.record(z.string(), Count);

/** One kind of a source: an OVN table, a Kubernetes kind. */
const AuditKind = z.object({
  kind: z.string().min(1),
  /**
   * unavailable: it cannot be known now. listing: it was not yet read in full. Open enum on the
   * wire.
   */
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
  /** RFC 3339, UTC: what is said about it was true then; null when it never reported. */
  asOf: z.string().nullable(),
  detail: z.string().optional(),
  /** Rows or objects by kind. */
  counts: Counts,
  kinds: z.array(AuditKind),
});
export type AuditSource = z.infer<typeof AuditSource>;

/**
 * Whether the Kubernetes that was read is the one of the Northbound that was read, and by what that
 * is known.
 */
export const AuditPairing = z.object({
  /**
   * unknown: too little agrees, or not everything was read. mispaired: it is another one. Rules
   * that compare both say nothing unless it is paired. Open enum on the wire.
   */
  state: z.enum(['paired', 'unknown', 'mispaired']),
  /** One sentence for a person. */
  reason: z.string(),
  /** Whether it rests on a person's statement alone that Kube-OVN was uninstalled. */
  bySaying: z.boolean(),
  /** What to check next, one sentence for a person; not there when it is paired. */
  next: z.string().optional(),
  /** Numbers of ports, by what both systems say of the pod or node of that name. */
  evidence: z.object({
    /** Both have one MAC address, and two. */
    agree: Count,
    disagree: Count,
    /** Of these, ports of nodes. */
    nodesAgree: Count,
    nodesDisagree: Count,
    /**
     * Of those that agree: name and MAC address can be in no second cluster by a copied manifest.
     */
    random: Count,
    /** Ports that a chassis holds up and no node or pod has. */
    nodesMissed: Count,
    podsMissed: Count,
    /** Living pods and nodes whose port is not there. */
    portless: Count,
    /**
     * Networks of which both have the row and its Subnet or Vpc, only the row, and only the Subnet
     * or Vpc.
     */
    networks: Count.optional(),
    networksMissed: Count.optional(),
    networksLost: Count.optional(),
  }),
  /**
   * Kinds of which a recording does not seem to hold all objects, though it says so; not there when
   * it seems whole. What rests on the absence of one is withheld.
   */
  lists: z
    .array(
      z.object({
        kind: z.string().min(1),
        /** One sentence for a person. */
        reason: z.string(),
        /** What to do, one sentence for a person. */
        next: z.string(),
      }),
    )
    .optional(),
});
export type AuditPairing = z.infer<typeof AuditPairing>;

/** What `steward audit` found, and what it could not know, in one document. */
export const AuditDocument = z.object({
  version: z.literal(1),
  cluster: z.string().min(1),
  /** RFC 3339, UTC. */
  asOf: z.string(),
  sources: z.array(AuditSource),
  /** Documents of earlier versions do not have it. */
  pairing: AuditPairing.optional(),
  findings: z.array(Finding),
  unknowns: z.array(Unknown),
  /**
   * Numbers of findings (in all, by class, by severity, by rule; those without any are left out)
   * and of unknowns.
   */
  summary: z.object({
    findings: Count,
    byClass: Counts,
    bySeverity: Counts,
    byRule: Counts,
    unknowns: Count,
    /**
     * Findings that are suppressed, which the other numbers leave out. Documents of earlier
     * versions do not have it.
     */
    suppressed: Count.optional(),
  }),
});
export type AuditDocument = z.infer<typeof AuditDocument>;

import type { Finding, Remedy } from '@ovn-steward/contracts/findings/finding';

/**
 * A finding that something would be done about: confirmed, not resolved and not in doubt, with a
 * remedy.
 */
export type Proposal = Finding & { readonly remedy: Remedy };

/** Whether this finding is one, in this revision. */
export const isProposal = (finding: Finding): finding is Proposal =>
  finding.state === 'confirmed' &&
  finding.resolvedAt === null &&
  finding.remedy !== null &&
  finding.doubt === undefined;

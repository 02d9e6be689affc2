import { z } from 'zod';
import { Instant } from '../record/instant';

/** A rule that says nothing now, and why. */
const Withheld = z.object({
  rule: z.string().min(1).describe('The id of the rule.'),
  reason: z
    .string()
    .describe('Why it is withheld: one sentence for people. Its words change: never parse it.'),
});

/** A kind that is not known in full. */
const IncompleteKind = z.object({
  kind: z.string().min(1).describe('The table of OVN, or the kind of Kubernetes.'),
  state: z
    .enum(['unavailable', 'listing'])
    .describe('unavailable: it cannot be known now. listing: it was not yet read in full.'),
  reason: z
    .string()
    .optional()
    .describe('Why it is unavailable, in a word, as in the changes; absent while it is listed.'),
  detail: z.string().optional().describe('One sentence for people. Never parse it.'),
});

const Author = z.object({
  version: z.string().min(1).describe('The version of the analyzer.'),
  id: z
    .string()
    .min(1)
    .describe('Its memory of the partition: what the header `analyzer` of its findings says.'),
});

/**
 * How far one source of a cluster is known, and so what its findings leave out: the value of a
 * record of `steward.status.v1`. It distinguishes an empty list of findings from blindness.
 */
export const SourceStatus = z.object({
  version: z.literal(1).describe('The version of this document.'),
  cluster: z.string().min(1).describe('The cluster, as the setting `cluster` names it.'),
  source: z.string().min(1).describe('`ovn-nb`, `ovn-sb` or `kubernetes`; others may be added.'),
  complete: z
    .boolean()
    .describe('Whether every kind of the source that exists and some rule needs is known in full.'),
  freshThrough: Instant.nullable().describe(
    'The findings describe this source at this time; null where it never reported.',
  ),
  incomplete: z
    .array(IncompleteKind)
    .describe('The kinds of the source that are not known in full; empty where all are.'),
  withheld: z
    .array(Withheld)
    .describe(
      'The rules that read this source and say nothing now: what they would find is missing.',
    ),
  unjudged: z
    .number()
    .int()
    .nonnegative()
    .describe(
      'How often a rule that does say something could not judge a row or an object of this source.',
    ),
  pairing: z
    .enum(['paired', 'unknown', 'mispaired'])
    .describe(
      'Whether this Kubernetes and this Northbound are one cluster. Rules that compare both are withheld unless it is paired.',
    ),
  findingsThrough: z
    .string()
    .regex(/^\d+$/)
    .describe(
      'An offset of steward.findings.v1 in the same partition, in decimal: who has read all before it has every finding that is meant here.',
    ),
  analyzer: Author.describe('Who wrote this.'),
  writtenAt: Instant.describe('When it was written, by the clock of the analyzer.'),
});
export type SourceStatus = z.infer<typeof SourceStatus>;

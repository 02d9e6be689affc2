import { z } from 'zod';
import { Instant } from '../record/instant';
import { Reference } from '../identity/reference';
import { FindingClass, Severity } from '../findings/finding';

/** One finding of a notification. */
export const NotifiedFinding = z.object({
  id: z.string(),
  revision: z.number().int().positive(),
  rule: z.string(),
  class: FindingClass,
  severity: Severity,
  subject: Reference,
  scope: z
    .object({ vpc: z.string().optional(), subnet: z.string().optional() })
    .optional()
    .describe('The VPC and the subnet of the subject, where they are known.'),
  summary: z.string().describe('One sentence.'),
  firstSeen: Instant.describe('RFC 3339, UTC, on the clock of the sources.'),
});
export type NotifiedFinding = z.infer<typeof NotifiedFinding>;

/**
 * What a sink is sent about the findings of one group: how they stand now, not what happened to
 * each.
 */
export const Notification = z.object({
  version: z.literal(1),
  id: z
    .string()
    .describe(
      'A UUID. Sent again after a crash or a lost answer it is the same; drop what you have.',
    ),
  group: z.string().describe('Equal for all notifications about one cause; sha256 in hex.'),
  sink: z.string().describe('Its name in the settings.'),
  cluster: z.string(),
  state: z
    .enum(['open', 'resolved'])
    .describe('`resolved`: no finding of the group is confirmed any more.'),
  severity: Severity.describe('The worst of the open findings; of those before when resolved.'),
  title: z.string().describe('One line.'),
  cause: z
    .object({ kind: z.string(), key: z.string(), text: z.string() })
    .nullable()
    .describe('What took along what the findings are about; null where it is not known.'),
  open: z.number().int().min(0).describe('How many findings of the group are open.'),
  added: z.number().int().min(0).describe('How many of them were not sent to the sink yet.'),
  findings: z
    .array(NotifiedFinding)
    .describe('The worst first; at most 20 of the open ones, none when resolved.'),
  since: Instant.describe('When the first of the findings was first seen; RFC 3339, UTC.'),
  at: Instant.describe('When it was composed; RFC 3339, UTC.'),
});
export type Notification = z.infer<typeof Notification>;

import { Mode } from '@ovn-steward/shared/mode';
import { z } from 'zod';
import { Severity } from '../findings/finding';
import { Reference } from '../identity/reference';
import { Instant } from '../record/instant';

/** What people are notified of: the other states of an action are steps on the way. */
export const NotifiedState = z.enum(['proposed', 'done', 'failed', 'refused', 'undone']);
export type NotifiedState = z.infer<typeof NotifiedState>;

/** One action of a notification. */
export const NotifiedAction = z.object({
  id: z.string(),
  revision: z.number().int().positive(),
  action: z.string().describe('What was done, or is to be done: `delete-ip`.'),
  finding: z.object({ id: z.string(), revision: z.number().int().positive() }),
  target: Reference,
  scope: z.object({ vpc: z.string().nullable(), subnet: z.string().nullable() }),
  code: z.string().describe('Why it is in this state, for programs.'),
  reason: z.string().describe('The same for people, one sentence.'),
  mode: Mode,
  approvedBy: z.string().nullable().describe('Who allowed it, where a person did.'),
  at: Instant.describe('RFC 3339, UTC, on the clock of the executor.'),
});
export type NotifiedAction = z.infer<typeof NotifiedAction>;

/**
 * What a sink is sent about actions of the executor that came into one state: of one rule, one plan
 * and one subnet.
 */
export const ActionsNotification = z.object({
  version: z.literal(1),
  about: z.literal('actions').describe('Notifications about findings do not have this member.'),
  id: z
    .string()
    .describe(
      'A UUID. Sent again after a crash or a lost answer it is the same; drop what you have.',
    ),
  group: z.string().describe('Equal for all of one state, rule, plan and subnet; sha256 in hex.'),
  sink: z.string().describe('Its name in the settings.'),
  cluster: z.string(),
  state: NotifiedState.describe('The state that all of them came into.'),
  severity: Severity.describe('`warning` for `failed`, else `info`.'),
  rule: z.string(),
  plan: z.string().nullable().describe('The plan they are part of; null where they are of none.'),
  title: z.string().describe('One line.'),
  count: z.number().int().positive().describe('How many actions it is about.'),
  actions: z.array(NotifiedAction).describe('The first of them, at most 20.'),
  at: Instant.describe('When it was composed; RFC 3339, UTC.'),
});
export type ActionsNotification = z.infer<typeof ActionsNotification>;

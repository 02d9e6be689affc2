import { HOLD_EXCEPTIONS } from '@ovn-steward/contracts/control/control';
import { SELECTOR_MEMBERS } from '@ovn-steward/contracts/identity/selector';
import { refuseNoRule } from '@ovn-steward/judgement/rule-named';
import { z } from 'zod';

const Id = z.string().min(1).max(300);
const Name = z.string().min(1).max(253);
const Rule = Id.superRefine(refuseNoRule);
const Reason = z.string().min(1).max(1000).describe('Why; shown with everything it is about.');
const Until = z.iso
  .datetime()
  .nullable()
  .default(null)
  .describe('When it ends by itself, RFC 3339 in UTC; null: when somebody ends it.');

const Scope = z
  .strictObject({ rule: Rule.optional(), vpc: Name.optional(), subnet: Name.optional() })
  .describe('All that is named must match; nothing named is the whole cluster.');

const Selector = z
  .strictObject({
    finding: Id.optional(),
    rule: Rule.optional(),
    class: Name.optional(),
    vpc: Name.optional(),
    subnet: Name.optional(),
    namespace: Name.optional(),
    subject: z.string().min(1).max(600).optional(),
  })
  .refine((it) => SELECTOR_MEMBERS.some((member) => it[member] !== undefined), 'names nothing')
  .describe('Which findings: all that is named must match.');

const common = {
  cluster: Name.optional().describe('The one this process acts for; another is refused.'),
};
const keeps = { selector: Selector, reason: Reason, until: Until };

/**
 * A person's decision over HTTP. Its author, its time and its living systems are not part of the
 * request.
 */
export const DecisionRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hold'),
    ...common,
    scope: Scope,
    reason: Reason,
    until: Until,
    except: z.array(z.enum(HOLD_EXCEPTIONS)).max(3).default([]),
  }),
  z.strictObject({ type: z.literal('resume'), ...common, scope: Scope }),
  z.strictObject({
    type: z.literal('approve'),
    ...common,
    finding: Id.describe('The whole id.'),
    revision: z
      .number()
      .int()
      .positive()
      .describe('The one that was read: of another it is refused.'),
  }),
  z.strictObject({
    type: z.literal('withdraw'),
    ...common,
    of: Id.regex(
      /^(?:approve|plan|undo)\/[^/]+$/,
      'write approve/<finding>, plan/<id> or undo/<id>',
    ),
  }),
  z.strictObject({
    type: z.literal('undo'),
    ...common,
    of: Id.describe('The whole id of an action or a plan.'),
  }),
  z.strictObject({ type: z.literal('suppress'), ...common, ...keeps }),
  z.strictObject({ type: z.literal('unsuppress'), ...common, selector: Selector }),
  z.strictObject({ type: z.literal('protect'), ...common, ...keeps }),
  z.strictObject({ type: z.literal('unprotect'), ...common, selector: Selector }),
  z.strictObject({
    type: z.literal('give-up'),
    ...common,
    of: Id.describe('The whole id of an action that cannot be settled.'),
    claimedAt: z.string().min(1).max(100).describe('Of its record: which claim is meant.'),
    reason: Reason,
  }),
]);
export type DecisionRequest = z.infer<typeof DecisionRequest>;

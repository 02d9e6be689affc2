import { refuseNoRule } from '@ovn-steward/judgement/rule-named';
import { problem } from '@ovn-steward/service/http/problem';
import { BAD_QUERY, route } from '@ovn-steward/service/http/route';
import type { Route } from '@ovn-steward/service/http/route';
import {
  Action,
  ActionState,
  isGivenUp,
  isTerminating,
} from '@ovn-steward/contracts/actions/action';
import { Mode } from '@ovn-steward/shared/mode';
import { Fact, Ownership } from '@ovn-steward/contracts/findings/finding';
import { Reference } from '@ovn-steward/contracts/identity/reference';
import { StoredLink, StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger';

const ActionsQuery = z.strictObject({
  cluster: z.string().min(1).max(253).optional().describe('Only of this cluster.'),
  rule: z
    .string()
    .min(1)
    .max(100)
    .superRefine(refuseNoRule)
    .optional()
    .describe('Only of this rule.'),
  state: ActionState.optional().describe('Only these.'),
  plan: z.string().min(1).max(100).optional().describe('Only of this plan.'),
  subject: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('Only those on the row or object with this uid.'),
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('At most so many.'),
  after: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only ids behind this one: the `next` of the answer before.'),
});

/** An action as a list shows it. */
const ListedAction = Action.omit({ undo: true, proof: true }).extend({
  undoable: z.boolean().describe('Whether what would undo it is stored; `/actions/{id}` has it.'),
});

export const ActionsPage = z.object({
  total: z.number().int().nonnegative().describe('How many match, on all pages.'),
  actions: z.array(ListedAction).describe('In the order of their ids, each as it stands.'),
  next: z.string().nullable().describe('Where the next page begins; null on the last.'),
});
export type ActionsPage = z.infer<typeof ActionsPage>;

/** What the routes below answer with, by name. */
export const ACTIONS_SCHEMAS = {
  Action,
  ActionsPage,
  Fact,
  Mode,
  Ownership,
  Reference,
  StoredLink,
  StoredRow,
  Undo,
};

/** The routes that show what was decided and done. `ledger`: none while the memory is not opened. */
export const actionsRoutes = (
  ledger: () => Pick<Ledger, 'get' | 'list' | 'total'> | undefined,
): readonly Route[] => [
  route({
    path: '/actions',
    says: 'A page of what was decided about findings and done, in the order of the ids.',
    query: ActionsQuery,
    responses: {
      200: { says: 'A page.', schema: 'ActionsPage' },
      400: BAD_QUERY,
      503: { says: 'The memory is not open.', schema: 'Problem' },
    },
    answer({ query: { limit, after, ...filter } }) {
      const opened = ledger();
      if (!opened) return NOT_OPEN;
      const found = opened.list({ ...filter, after, limit: limit + 1 });
      const shown = found.slice(0, limit);
      const body: ActionsPage = {
        total: opened.total(filter),
        actions: shown.map(({ undo, proof: _, ...it }) => ({
          ...it,
          undoable:
            undo !== null &&
            (it.state === 'done' || isTerminating(it) || isGivenUp({ ...it, undo })),
        })),
        next: found.length > shown.length ? shown.at(-1)!.id : null,
      };
      return { status: 200, body };
    },
  }),
  route({
    path: '/actions/{id}',
    says: 'One action as it stands, with its proof and what would undo it.',
    pathParameters: { id: 'The whole id.' },
    responses: {
      200: { says: 'The action.', schema: 'Action' },
      404: { says: 'No action has this id.', schema: 'Problem' },
      503: { says: 'The memory is not open.', schema: 'Problem' },
    },
    answer({ path }) {
      const opened = ledger();
      if (!opened) return NOT_OPEN;
      const action = opened.get(path['id'] ?? '');
      return action ? { status: 200, body: action } : problem(404, 'No action has this id');
    },
  }),
];

const NOT_OPEN = problem(
  503,
  'The executor has not opened its memory yet, or is ending: ask again',
);

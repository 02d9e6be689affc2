import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { refuseNoRule } from '@ovn-steward/judgement/rule-named';
import {
  ApiAnswer,
  ApiPathParameter,
  ApiQueryOf,
  ApiSchemas,
  ApiSummary,
} from '@ovn-steward/service/http/api';
import { IN_PAGES, OF_CLUSTER, ofRule, PAGE, pageOf } from '@ovn-steward/service/http/page';
import { problem } from '@ovn-steward/service/http/problem';
import { QueryPipe } from '@ovn-steward/service/http/query-pipe';
import {
  ActionRecord,
  ActionState,
  isGivenUp,
  isActionTerminating,
} from '@ovn-steward/contracts/actions/action';
import { Mode } from '@ovn-steward/shared/mode';
import { Fact, Ownership } from '@ovn-steward/contracts/findings/finding';
import { Reference } from '@ovn-steward/contracts/identity/reference';
import { StoredLink, StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger';

const ActionsQuery = z.strictObject({
  ...OF_CLUSTER,
  ...ofRule(refuseNoRule),
  state: ActionState.optional().describe('Only these.'),
  plan: z.string().min(1).max(100).optional().describe('Only of this plan.'),
  subject: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('Only those on the row or object with this uid.'),
  ...IN_PAGES,
});

/** An action as a list shows it. */
const ListedAction = ActionRecord.omit({ undo: true, proof: true }).extend({
  undoable: z.boolean().describe('Whether what would undo it is stored; `/actions/{id}` has it.'),
});

export const ActionsPage = z.object({
  total: PAGE.total,
  actions: z.array(ListedAction).describe('In the order of their ids, each as it stands.'),
  next: PAGE.next,
});
export type ActionsPage = z.infer<typeof ActionsPage>;

type OpenLedger = Pick<Ledger, 'get' | 'list' | 'total'>;

/** The ledger: `() => OpenLedger | undefined`, none while it is not open. */
export const LEDGER = Symbol('LEDGER');

const NOT_OPEN =
  'The executor has not opened its memory or not read yet what was done, or is ending: ask again; /readyz says what it lacks';

/** What was decided and done. */
@Controller('actions')
@ApiSchemas({
  Action: ActionRecord,
  ActionsPage,
  Fact,
  Mode,
  Ownership,
  Reference,
  StoredLink,
  StoredRow,
  Undo,
})
export class ActionsController {
  constructor(@Inject(LEDGER) private readonly ledger: () => OpenLedger | undefined) {}

  @Get()
  @ApiSummary('A page of what was decided about findings and done, in the order of the ids.')
  @ApiQueryOf(ActionsQuery)
  @ApiAnswer(200, 'A page.', 'ActionsPage')
  @ApiAnswer(503, 'The memory is not open.', 'Problem')
  list(@Query(new QueryPipe(ActionsQuery)) query: z.output<typeof ActionsQuery>): ActionsPage {
    const { limit, after, ...filter } = query;
    const ledger = this.open();
    const { shown, next } = pageOf(ledger.list({ ...filter, after, limit: limit + 1 }), { limit });
    return {
      total: ledger.total(filter),
      actions: shown.map(({ undo, proof: _, ...action }) => ({
        ...action,
        undoable:
          undo !== null &&
          (action.state === 'done' ||
            isActionTerminating(action) ||
            isGivenUp({ ...action, undo })),
      })),
      next,
    };
  }

  @Get(':id')
  @ApiSummary('One action as it stands, with its proof and what would undo it.')
  @ApiPathParameter('id', 'The whole id.')
  @ApiAnswer(200, 'The action.', 'Action')
  @ApiAnswer(404, 'No action has this id.', 'Problem')
  @ApiAnswer(503, 'The memory is not open.', 'Problem')
  read(@Param('id') id: string): ActionRecord {
    const action = this.open().get(id);
    if (action === undefined) throw problem(404, 'No action has this id');
    return action;
  }

  private open(): OpenLedger {
    const ledger = this.ledger();
    if (ledger === undefined) throw problem(503, NOT_OPEN);
    return ledger;
  }
}

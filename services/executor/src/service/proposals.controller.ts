import { Controller, Get, Inject, Query } from '@nestjs/common';
import { refuseNoRule } from '@ovn-steward/judgement/rule-named';
import { ApiAnswer, ApiQueryOf, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { IN_PAGES, OF_CLUSTER, ofRule, PAGE, pageOf } from '@ovn-steward/service/http/page';
import { QueryPipe } from '@ovn-steward/service/http/query-pipe';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { z } from 'zod';
import type { Proposal } from '../findings/proposal';
import type { ProposalFilter } from '../store/executor-store';

const ProposalsQuery = z.strictObject({
  ...OF_CLUSTER,
  ...ofRule(refuseNoRule),
  ...IN_PAGES,
});

export const ProposalsPage = z.object({
  reading: z
    .boolean()
    .describe(
      'Whether the findings are being followed; while false, what follows is as old as the last that was read.',
    ),
  total: PAGE.total,
  proposals: z
    .array(Finding)
    .describe(
      'Confirmed findings with a remedy, in the order of their ids. Whether it is done, modes, approvals and plans say: /actions.',
    ),
  next: PAGE.next,
});
export type ProposalsPage = z.infer<typeof ProposalsPage>;

/** What the confirmed findings are read from. */
export interface Proposing {
  /** Whether the findings are being followed. */
  reading(): boolean;
  proposals(filter: ProposalFilter): readonly Proposal[];
}

/** The token of `Proposing`. */
export const PROPOSING = Symbol('PROPOSING');

/** What would be done, a page at a time. */
@Controller('proposals')
@ApiSchemas({ Finding, ProposalsPage })
export class ProposalsController {
  constructor(@Inject(PROPOSING) private readonly from: Proposing) {}

  @Get()
  @ApiSummary(
    'A page of the confirmed findings with a remedy, in the order of their ids. What was decided about them is in /actions.',
  )
  @ApiQueryOf(ProposalsQuery)
  @ApiAnswer(200, 'A page.', 'ProposalsPage')
  list(
    @Query(new QueryPipe(ProposalsQuery)) query: z.output<typeof ProposalsQuery>,
  ): ProposalsPage {
    const { cluster, rule } = query;
    const matching = this.from.proposals({
      ...(cluster === undefined ? {} : { cluster }),
      ...(rule === undefined ? {} : { rule }),
    });
    const { shown, next } = pageOf(matching, query);
    return {
      reading: this.from.reading(),
      total: matching.length,
      proposals: shown,
      next,
    };
  }
}

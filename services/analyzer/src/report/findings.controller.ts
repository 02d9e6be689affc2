import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import {
  ApiAnswer,
  ApiPathParameter,
  ApiQueryOf,
  ApiSchemas,
  ApiSummary,
} from '@ovn-steward/service/http/api';
import { problem } from '@ovn-steward/service/http/problem';
import { QueryPipe } from '@ovn-steward/service/http/query-pipe';
import { AuditSource } from '@ovn-steward/contracts/audit';
import { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { Reference } from '@ovn-steward/contracts/identity/reference';
import type { z } from 'zod';
import { CLUSTER_VIEWS } from './cluster-views';
import { type ClusterView, findingsPage } from './findings-page';
import { viewsOf } from './one-cluster';
import { FindingsPage, FindingsQuery } from './schemas';

/** Findings for reading, of one cluster or of several. */
@Controller('findings')
@ApiSchemas({ AuditSource, Finding, FindingsPage, Reference, Unknown })
export class FindingsController {
  constructor(@Inject(CLUSTER_VIEWS) private readonly views: () => readonly ClusterView[]) {}

  @Get()
  @ApiSummary('A page of the findings that match, in the order of their ids.')
  @ApiQueryOf(FindingsQuery)
  @ApiAnswer(200, 'A page.', 'FindingsPage')
  @ApiAnswer(404, 'Nothing is known of this cluster.', 'Problem')
  list(@Query(new QueryPipe(FindingsQuery)) query: z.output<typeof FindingsQuery>): FindingsPage {
    return findingsPage(viewsOf(this.views(), query.cluster), query);
  }

  @Get(':id')
  @ApiSummary('One finding in its newest revision, resolved or not.')
  @ApiPathParameter('id', 'The whole id.')
  @ApiAnswer(200, 'The finding.', 'Finding')
  @ApiAnswer(404, 'No finding has this id.', 'Problem')
  read(@Param('id') id: string): Finding {
    for (const { picture } of this.views()) {
      const finding = picture.finding(id);
      if (finding !== undefined) return finding;
    }
    throw problem(
      404,
      'No finding has this id: it never had, or it was resolved more than 30 days ago',
    );
  }
}

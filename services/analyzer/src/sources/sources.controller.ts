import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiAnswer, ApiQueryOf, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { QueryPipe } from '@ovn-steward/service/http/query-pipe';
import type { z } from 'zod';
import { CLUSTER_VIEWS } from '../report/cluster-views';
import type { ClusterView } from '../report/findings-page';
import { viewsOf } from '../report/one-cluster';
import { sourceStatuses } from '../status/source-statuses';
import { Sources, SourcesQuery } from './schemas';

/** How far the sources are known: what distinguishes an empty list of findings from blindness. */
@Controller('sources')
@ApiSchemas({ Sources })
export class SourcesController {
  constructor(@Inject(CLUSTER_VIEWS) private readonly views: () => readonly ClusterView[]) {}

  @Get()
  @ApiSummary('How far each source is known, and which rules report nothing therefore.')
  @ApiQueryOf(SourcesQuery)
  @ApiAnswer(200, 'The sources.', 'Sources')
  @ApiAnswer(404, 'Nothing is known of this cluster.', 'Problem')
  list(@Query(new QueryPipe(SourcesQuery)) { cluster }: z.output<typeof SourcesQuery>): Sources {
    return {
      sources: viewsOf(this.views(), cluster).flatMap(({ cluster, picture }) =>
        sourceStatuses(picture).map((it) => ({ cluster, ...it })),
      ),
    };
  }
}

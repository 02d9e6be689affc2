import { createHash } from 'node:crypto';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Unknown } from '@ovn-steward/contracts/findings/finding';
import { ApiAnswer, ApiQueryOf, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { IN_PAGES, OF_CLUSTER, PAGE, pageOf } from '@ovn-steward/service/http/page';
import { QueryPipe } from '@ovn-steward/service/http/query-pipe';
import { z } from 'zod';
import { CLUSTER_VIEWS } from './cluster-views';
import type { ClusterView } from './findings-page';
import { viewsOf } from './one-cluster';

/** The query of `GET /unknowns`. */
const UnknownsQuery = z.strictObject({ ...OF_CLUSTER, ...IN_PAGES });

const UnknownsPage = z.object({
  total: PAGE.total,
  unknowns: z.array(Unknown).describe('In no order that means anything.'),
  next: PAGE.next,
});
type UnknownsPage = z.infer<typeof UnknownsPage>;

/** What could not be judged, for reading. */
@Controller('unknowns')
@ApiSchemas({ UnknownsPage })
export class UnknownsController {
  constructor(@Inject(CLUSTER_VIEWS) private readonly views: () => readonly ClusterView[]) {}

  @Get()
  @ApiSummary('A page of what could not be judged, as in the audit document.')
  @ApiQueryOf(UnknownsQuery)
  @ApiAnswer(200, 'A page.', 'UnknownsPage')
  @ApiAnswer(404, 'Nothing is known of this cluster.', 'Problem')
  list(@Query(new QueryPipe(UnknownsQuery)) query: z.output<typeof UnknownsQuery>): UnknownsPage {
    const all = viewsOf(this.views(), query.cluster).flatMap(({ cluster, picture }) =>
      picture.unknowns().map((unknown) => ({ id: idOf(cluster, unknown), unknown })),
    );
    const { shown, next } = pageOf(all, query);
    return { total: all.length, unknowns: shown.map(({ unknown }) => unknown), next };
  }
}

/** Stays the same while it is unknown for the same reason, so that pages fit together. */
const idOf = (cluster: string, unknown: Unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([cluster, unknown]))
    .digest('hex');

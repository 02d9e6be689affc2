import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { addressLedger } from '@ovn-steward/judgement/health/address-ledger';
import {
  ApiAnswer,
  ApiPathParameter,
  ApiQueryOf,
  ApiSchemas,
  ApiSummary,
} from '@ovn-steward/service/http/api';
import { pageOf } from '@ovn-steward/service/http/page';
import { problem } from '@ovn-steward/service/http/problem';
import { QueryPipe } from '@ovn-steward/service/http/query-pipe';
import type { z } from 'zod';
import { CLUSTER_VIEWS } from '../report/cluster-views';
import type { ClusterView } from '../report/findings-page';
import { oneCluster } from '../report/one-cluster';
import { outlookReports } from './outlook-reports';
import { SubnetAddresses, SubnetAddressesQuery, SubnetsPage, SubnetsQuery } from './schemas';
import { subnetReports } from './subnet-reports';

/** Subnets for reading: their health, and who holds their addresses. */
@Controller('subnets')
@ApiSchemas({ SubnetAddresses, SubnetsPage })
export class SubnetsController {
  constructor(@Inject(CLUSTER_VIEWS) private readonly views: () => readonly ClusterView[]) {}

  @Get()
  @ApiSummary(
    'A page of the subnets of one cluster, in the order of their names, with the sums of all.',
  )
  @ApiQueryOf(SubnetsQuery)
  @ApiAnswer(200, 'A page.', 'SubnetsPage')
  @ApiAnswer(404, 'Nothing is known of this cluster.', 'Problem')
  list(@Query(new QueryPipe(SubnetsQuery)) query: z.output<typeof SubnetsQuery>): SubnetsPage {
    const { cluster, picture } = oneCluster(this.views(), query.cluster);
    const all = subnetReports(picture);
    const { shown, next } = pageOf(
      all.map((subnet) => ({ id: subnet.name, subnet })),
      query,
    );
    const { vpcs, total: sums } = outlookReports(picture);
    return {
      cluster,
      asOf: picture.now || null,
      complete: picture.world.knows('Subnet'),
      total: all.length,
      subnets: shown.map(({ subnet }) => subnet) as SubnetsPage['subnets'],
      next,
      vpcs: vpcs as SubnetsPage['vpcs'],
      all: sums as SubnetsPage['all'],
    };
  }

  @Get(':name/addresses')
  @ApiSummary('Each held address of a subnet, and all that record it.')
  @ApiPathParameter('name', 'The name of the subnet.')
  @ApiQueryOf(SubnetAddressesQuery)
  @ApiAnswer(200, 'The addresses.', 'SubnetAddresses')
  @ApiAnswer(404, 'No subnet has this name.', 'Problem')
  addresses(
    @Param('name') name: string,
    @Query(new QueryPipe(SubnetAddressesQuery)) query: z.output<typeof SubnetAddressesQuery>,
  ): SubnetAddresses {
    const { world } = oneCluster(this.views(), query.cluster).picture;
    if (world.byKey('Subnet', name).length === 0) throw problem(404, 'No subnet has this name');
    return {
      subnet: name,
      addresses: (addressLedger(world, name) ?? null) as SubnetAddresses['addresses'],
    };
  }
}

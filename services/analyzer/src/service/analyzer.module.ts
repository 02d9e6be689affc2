import { Module } from '@nestjs/common';
import { serviceMetadata } from '@ovn-steward/service/service.module';
import { CLUSTER_VIEWS } from '../report/cluster-views';
import { FindingsController } from '../report/findings.controller';
import { SourcesController } from '../sources/sources.controller';
import { UnknownsController } from '../report/unknowns.controller';
import { SubnetsController } from '../subnets/subnets.controller';
import { AnalyzerService } from './analyzer.service';
import { AnalyzerStatusController } from './analyzer-status.controller';

@Module(
  serviceMetadata(AnalyzerService, {
    controllers: [
      FindingsController,
      UnknownsController,
      SourcesController,
      SubnetsController,
      AnalyzerStatusController,
    ],
    providers: [
      {
        provide: CLUSTER_VIEWS,
        inject: [AnalyzerService],
        useFactory: (analyzer: AnalyzerService) => () => analyzer.views(),
      },
    ],
  }),
)
export class AnalyzerModule {}

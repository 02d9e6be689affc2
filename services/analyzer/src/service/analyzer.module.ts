import { Module } from '@nestjs/common';
import { serviceMetadata } from '@ovn-steward/service/service.module';
import { CLUSTER_VIEWS, FindingsController } from '../report/findings.controller';
import { AnalyzerService } from './analyzer.service';
import { AnalyzerStatusController } from './analyzer-status.controller';

@Module(
  serviceMetadata(AnalyzerService, {
    controllers: [FindingsController, AnalyzerStatusController],
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

import { Controller, Get } from '@nestjs/common';
import { ServiceStatus, ServiceStatusReader } from '@ovn-steward/service/health/service-status';
import { ApiAnswer, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { z } from 'zod';
import { clusterStatus } from '../report/cluster-status';
import { ClusterStatus } from '../report/schemas';
import { AnalyzerService } from './analyzer.service';
import { PartitionStatus } from './partition-status';

const Status = ServiceStatus.extend({
  partitions: z.array(PartitionStatus),
  clusters: z.array(ClusterStatus),
});
type AnalyzerStatus = z.infer<typeof Status>;

@Controller('status')
@ApiSchemas({ ClusterStatus, Status })
export class AnalyzerStatusController {
  constructor(
    private readonly status: ServiceStatusReader,
    private readonly analyzer: AnalyzerService,
  ) {}

  @Get()
  @ApiSummary('What the service is doing, and what it lacks.')
  @ApiAnswer(200, 'The status.', 'Status')
  read(): AnalyzerStatus {
    return {
      ...this.status.read(),
      partitions: [...this.analyzer.partitions()],
      clusters: this.analyzer.views().map(clusterStatus),
    };
  }
}

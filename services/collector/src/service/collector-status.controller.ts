import { Controller, Get } from '@nestjs/common';
import { ServiceStatus, ServiceStatusReader } from '@ovn-steward/service/health/service-status';
import { ApiAnswer, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { CollectorService } from './collector.service';
import { CollectorStatus } from './collector-status';

const Status = ServiceStatus.extend(CollectorStatus.shape);

@Controller('status')
@ApiSchemas({ Status })
export class CollectorStatusController {
  constructor(
    private readonly status: ServiceStatusReader,
    private readonly collector: CollectorService,
  ) {}

  @Get()
  @ApiSummary('What the service is doing, and what it lacks.')
  @ApiAnswer(200, 'The status.', 'Status')
  read(): ServiceStatus & CollectorStatus {
    return { ...this.status.read(), ...this.collector.status() };
  }
}

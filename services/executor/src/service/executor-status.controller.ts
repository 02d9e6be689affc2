import { Controller, Get } from '@nestjs/common';
import { ServiceStatus, ServiceStatusReader } from '@ovn-steward/service/health/service-status';
import { ApiAnswer, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { ExecutorService } from './executor.service';
import { ExecutorStatus } from './executor-status';

const Status = ServiceStatus.extend(ExecutorStatus.shape);

@Controller('status')
@ApiSchemas({ Status })
export class ExecutorStatusController {
  constructor(
    private readonly status: ServiceStatusReader,
    private readonly executor: ExecutorService,
  ) {}

  @Get()
  @ApiSummary('What the service is doing, and what it lacks.')
  @ApiAnswer(200, 'The status.', 'Status')
  read(): ServiceStatus & ExecutorStatus {
    return { ...this.status.read(), ...this.executor.status() };
  }
}

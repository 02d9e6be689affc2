import { Controller, Get } from '@nestjs/common';
import { ServiceStatus, ServiceStatusReader } from '@ovn-steward/service/health/service-status';
import { ApiAnswer, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { NotifierService } from './notifier.service';
import { NotifierStatus } from './notifier-status';

const Status = ServiceStatus.extend(NotifierStatus.shape);

@Controller('status')
@ApiSchemas({ Status })
export class NotifierStatusController {
  constructor(
    private readonly status: ServiceStatusReader,
    private readonly notifier: NotifierService,
  ) {}

  @Get()
  @ApiSummary('What the service is doing, and what it lacks.')
  @ApiAnswer(200, 'The status.', 'Status')
  read(): ServiceStatus & NotifierStatus {
    return { ...this.status.read(), ...this.notifier.status() };
  }
}

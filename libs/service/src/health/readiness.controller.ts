import { Controller, Get, HttpException } from '@nestjs/common';
import { AllowedTo } from '../http/route-access';
import { ApiAnswer, ApiSchemas, ApiSummary } from '../http/api';
import { ServiceHealth, ServiceReadiness } from './service-health';

@Controller()
@AllowedTo('open')
@ApiSchemas({ ServiceReadiness })
export class ReadinessController {
  constructor(private readonly health: ServiceHealth) {}

  @Get('readyz')
  @ApiSummary('Whether the service is of use now; names what is missing.')
  @ApiAnswer(200, 'Ready.', 'ServiceReadiness')
  @ApiAnswer(503, 'Not ready.', 'ServiceReadiness')
  read(): ServiceReadiness {
    const readiness = this.health.readiness();
    if (readiness.ready) return readiness;
    throw new HttpException(readiness, 503);
  }
}

import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiAnswerOf, ApiSummary } from '../http/api';
import type { Meter } from './definition';

/** The meter whose series an application shows. */
export const METER = Symbol('METER');

@Controller()
export class MetricsController {
  constructor(@Inject(METER) private readonly meter: Pick<Meter, 'text'>) {}

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiSummary('Metrics in the Prometheus text format.')
  @ApiAnswerOf(200, 'The metrics.', 'text/plain')
  read(): Promise<string> {
    return this.meter.text();
  }
}

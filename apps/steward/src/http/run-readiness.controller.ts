import { Controller, Get, HttpException, Inject } from '@nestjs/common';
import { Readiness } from '@ovn-steward/analyzer';
import { AllowedTo } from '@ovn-steward/service/http/route-access';
import { ApiAnswer, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { readinessIn, SHOWN_PIPELINE, type ShownPipeline } from './shown-pipeline';

@Controller('readyz')
@AllowedTo('open')
@ApiSchemas({ Readiness })
export class RunReadinessController {
  constructor(@Inject(SHOWN_PIPELINE) private readonly pipeline: ShownPipeline) {}

  @Get()
  @ApiSummary(
    'Whether everything that some rule needs is known in full and fresh; names what is missing.',
  )
  @ApiAnswer(200, 'Ready.', 'Readiness')
  @ApiAnswer(503, 'Not ready; findings may be missing.', 'Readiness')
  read(): Readiness {
    const readiness = readinessIn(this.pipeline);
    if (readiness.ready) return readiness;
    throw new HttpException(readiness, 503);
  }
}

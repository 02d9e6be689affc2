import { Controller, Get, Inject } from '@nestjs/common';
import { ClusterStatus, clusterStatus } from '@ovn-steward/analyzer';
import { StandingHold, UnsettledClaim } from '@ovn-steward/executor';
import { NotifierStatus } from '@ovn-steward/notifier';
import { ApiAnswer, ApiSchemas, ApiSummary } from '@ovn-steward/service/http/api';
import { z } from 'zod';
import { SHOWN_PIPELINE, type ShownPipeline, viewOf } from './shown-pipeline';

/** The answer of `/status`. */
export const RunStatus = z
  .object({ version: z.string().describe('Of the program.') })
  .extend(ClusterStatus.shape)
  .extend({
    holds: z
      .array(StandingHold)
      .nullable()
      .describe('The holds in force; null while nothing is acted on.'),
    unsettled: z
      .array(UnsettledClaim)
      .describe(
        'What the executor has under way and could not bring to its end, the oldest first.',
      ),
    notifier: NotifierStatus.nullable().describe(
      'How far the notifier read, and what each sink has not received; null while no sink is set.',
    ),
  });
export type RunStatus = z.infer<typeof RunStatus>;

@Controller('status')
@ApiSchemas({ Status: RunStatus })
export class RunStatusController {
  constructor(@Inject(SHOWN_PIPELINE) private readonly pipeline: ShownPipeline) {}

  @Get()
  @ApiSummary(
    'The sources, what they hold and lack, how many findings there are, and which claims of the executor cannot be settled, and what sinks of notifications lack.',
  )
  @ApiAnswer(200, 'The status.', 'Status')
  read(): RunStatus {
    const holds = this.pipeline.holds();
    return {
      version: this.pipeline.version,
      ...clusterStatus(viewOf(this.pipeline)),
      holds: holds && [...holds],
      unsettled: [...this.pipeline.unsettled()],
      notifier: this.pipeline.notifier(),
    };
  }
}

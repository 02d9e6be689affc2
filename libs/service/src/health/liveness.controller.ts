import { Controller, Get, HttpException, Inject } from '@nestjs/common';
import { safeText } from '@ovn-steward/shared/safe-text';
import { z } from 'zod';
import { AllowedTo } from '../http/route-access';
import { ApiAnswer, ApiSchemas, ApiSummary } from '../http/api';

export const Liveness = z.object({
  status: z.enum(['alive', 'failed']),
  detail: z.string().optional().describe('Why the process cannot go on.'),
});
export type Liveness = z.infer<typeof Liveness>;

/**
 * Why this process cannot go on, once that is so: `() => string | undefined`. It must not depend on
 * anything outside the process, or a broker that is away would have every process restarted.
 */
export const FAILURE = Symbol('FAILURE');

@Controller()
@AllowedTo('open')
@ApiSchemas({ Liveness })
export class LivenessController {
  constructor(@Inject(FAILURE) private readonly failure: () => string | undefined) {}

  @Get('livez')
  @ApiSummary('Whether the process is alive: its event loop answers, and its work has not failed.')
  @ApiAnswer(200, 'Alive.', 'Liveness')
  @ApiAnswer(503, 'The work failed; the process is about to end.', 'Liveness')
  read(): Liveness {
    const detail = this.failure();
    if (detail === undefined) return { status: 'alive' };
    throw new HttpException(
      { status: 'failed', detail: safeText(detail, 500) } satisfies Liveness,
      503,
    );
  }
}

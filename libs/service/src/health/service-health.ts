import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SERVICE_METRICS } from '../meter/service-metrics';
import { SERVICE, type ServiceRuntime, SHELL, type Shell } from '../work/service';
import { WORK, type Work } from '../work/work';

export const Lacking = z.object({
  what: z.string().describe('What is missing, in a word: `log`, `work`, a source …'),
  detail: z.string().describe('One sentence for a person.'),
});

export const ServiceReadiness = z.object({ ready: z.boolean(), missing: z.array(Lacking) });
export type ServiceReadiness = z.infer<typeof ServiceReadiness>;

/** Whether a service is of use now, and whether its process is. */
@Injectable()
export class ServiceHealth {
  constructor(
    @Inject(WORK) private readonly work: Work,
    @Inject(SERVICE) private readonly service: ServiceRuntime,
    @Inject(SHELL) { meter }: Shell,
  ) {
    meter.onScrape(() => meter.set(SERVICE_METRICS.ready, {}, this.readiness().ready ? 1 : 0));
  }

  /** What the work lacks; once it is under way, what the service lacks. */
  readiness(): ServiceReadiness {
    const stopped = this.work.missing();
    const missing = [...(stopped.length > 0 ? stopped : this.service.missing())];
    return { ready: missing.length === 0, missing };
  }

  /** Why only a new process would help, if so. */
  failure(): string | undefined {
    return this.work.failure() ?? this.service.stuck?.();
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SHELL, type Shell } from '../work/service';
import { Lacking, ServiceHealth } from './service-health';

/** What `/status` shows of every service. */
export const ServiceStatus = z.object({
  service: z.string(),
  version: z.string().describe('Of the program.'),
  startedAt: z.string().describe('RFC 3339, UTC.'),
  ready: z.boolean(),
  missing: z.array(Lacking).describe('As in /readyz.'),
});
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** The part of `/status` that is the same in every service. */
@Injectable()
export class ServiceStatusReader {
  private readonly startedAt = new Date().toISOString();

  constructor(
    private readonly health: ServiceHealth,
    @Inject(SHELL) private readonly shell: Shell,
  ) {}

  read(): ServiceStatus {
    const { name: service, version } = this.shell.identity;
    return { service, version, startedAt: this.startedAt, ...this.health.readiness() };
  }
}

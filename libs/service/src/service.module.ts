import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Access } from '@ovn-steward/shared/access';
import { AccessGuard } from './access/access-guard';
import { FAILURE, LivenessController } from './health/liveness.controller';
import { ReadinessController } from './health/readiness.controller';
import { ServiceHealth } from './health/service-health';
import { ServiceStatusReader } from './health/service-status';
import { OpenApi, OpenApiController } from './http/openapi.controller';
import type { Meter } from './meter/definition';
import { METER, MetricsController } from './meter/metrics.controller';
import { SERVICE_METRICS } from './meter/service-metrics';
import { SERVICE, type ServiceRuntime, SHELL, type Shell } from './work/service';
import { WORK, Work } from './work/work';

/**
 * Ends the work when the application is closed. Nest calls this hook before it closes HTTP, which
 * answers to the last.
 */
@Injectable()
class WorkEnding implements BeforeApplicationShutdown {
  constructor(@Inject(WORK) private readonly work: Work) {}

  async beforeApplicationShutdown(): Promise<void> {
    // The code that started the work gets the error with which it ended.
    await this.work.end().catch(() => undefined);
  }
}

const PROVIDERS: readonly Provider[] = [
  OpenApi,
  ServiceHealth,
  ServiceStatusReader,
  WorkEnding,
  {
    provide: WORK,
    inject: [SERVICE, SHELL],
    useFactory: (service: ServiceRuntime, { logger, meter }: Shell) =>
      new Work(service, { logger, onRetry: () => meter.inc(SERVICE_METRICS.workRetries, {}) }),
  },
  {
    provide: FAILURE,
    inject: [ServiceHealth],
    useFactory: (health: ServiceHealth) => () => health.failure(),
  },
  { provide: METER, inject: [SHELL], useFactory: ({ meter }: Shell) => meter },
];

/**
 * The metadata of a service’s module: `service` works, and every service’s controllers (`/livez`,
 * `/readyz`, `/metrics`, `/openapi.json`) stand beside its own. The module needs the `Shell` of a
 * global module.
 */
export const serviceMetadata = (
  service: Type<ServiceRuntime>,
  { controllers = [], providers = [] }: Pick<ModuleMetadata, 'controllers' | 'providers'>,
): ModuleMetadata => ({
  controllers: [
    LivenessController,
    ReadinessController,
    MetricsController,
    ...controllers,
    OpenApiController,
  ],
  providers: [...PROVIDERS, service, { provide: SERVICE, useExisting: service }, ...providers],
});

/**
 * The providers by which every route of an application checks whether a client may have it
 * answered; none where no login is needed.
 */
export const accessProviders = (
  access: Access | undefined,
  onRefused: (status: number, why: string) => void,
): Provider[] =>
  access === undefined
    ? []
    : [{ provide: APP_GUARD, useValue: new AccessGuard(access, onRefused) }];

@Module({})
class ShellModule {}

@Module({})
class ProcessModule {}

/** The module of a process that runs one service in a shell. */
export const processModule = (service: Type, shell: Shell): DynamicModule => ({
  module: ProcessModule,
  providers: accessProviders(shell.access, (status, why) => {
    shell.meter.inc(SERVICE_METRICS.refused, { status: String(status) });
    shell.logger.warn('request refused', { status, why });
  }),
  imports: [
    {
      module: ShellModule,
      global: true,
      providers: [{ provide: SHELL, useValue: shell }],
      exports: [SHELL],
    },
    service,
  ],
});

@Module({})
class MetricsModule {}

/** The metrics, for a port of their own. */
export const metricsModule = (meter: Pick<Meter, 'text'>): DynamicModule => ({
  module: MetricsModule,
  controllers: [MetricsController],
  providers: [{ provide: METER, useValue: meter }],
});

@Module({})
class ProbesModule {}

/** What liveness and readiness probes read, for a port of its own. */
export const probesModule = (health: ServiceHealth): DynamicModule => ({
  module: ProbesModule,
  controllers: [LivenessController, ReadinessController],
  providers: [
    { provide: ServiceHealth, useValue: health },
    { provide: FAILURE, useValue: () => health.failure() },
  ],
});

import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CLUSTER_VIEWS, FindingsController } from '@ovn-steward/analyzer/http';
import { FAILURE, LivenessController } from '@ovn-steward/service/health/liveness.controller';
import { OpenApi, OpenApiController } from '@ovn-steward/service/http/openapi.controller';
import { METER, MetricsController } from '@ovn-steward/service/meter/metrics.controller';
import { RunReadinessController } from './run-readiness.controller';
import { RunStatusController } from './run-status.controller';
import { SHOWN_PIPELINE, type ShownPipeline, viewOf } from './shown-pipeline';

@Module({})
class RunModule {}

@Module({})
class RunProbesModule {}

const answering = (pipeline: ShownPipeline): Provider[] => [
  { provide: SHOWN_PIPELINE, useValue: pipeline },
  { provide: FAILURE, useValue: pipeline.failure },
];

/** HTTP of `steward run`: the controllers of an analyzer and of every service, on one pipeline. */
export const runModule = (pipeline: ShownPipeline): DynamicModule => ({
  module: RunModule,
  controllers: [
    LivenessController,
    RunReadinessController,
    MetricsController,
    FindingsController,
    RunStatusController,
    OpenApiController,
  ],
  providers: [
    ...answering(pipeline),
    OpenApi,
    { provide: METER, useValue: { text: () => pipeline.metrics(viewOf(pipeline)) } },
    { provide: CLUSTER_VIEWS, useValue: () => [viewOf(pipeline)] },
  ],
});

/** What whoever starts and stops processes asks, for a port of its own. */
export const runProbesModule = (pipeline: ShownPipeline): DynamicModule => ({
  module: RunProbesModule,
  controllers: [LivenessController, RunReadinessController],
  providers: answering(pipeline),
});

import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import {
  CLUSTER_VIEWS,
  FindingsController,
  SourcesController,
  SubnetsController,
  UnknownsController,
} from '@ovn-steward/analyzer/http';
import {
  ActionsController,
  DECIDERS,
  DECISIONS,
  DecisionsController,
  LEDGER,
} from '@ovn-steward/executor/http';
import { accessProviders } from '@ovn-steward/service/service.module';
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

/** The metrics’ text as of now. */
export const metricsOf = (pipeline: ShownPipeline): Promise<string> =>
  pipeline.metrics(viewOf(pipeline));

/** HTTP of `steward run`: the controllers of an analyzer and of every service, on one pipeline. */
export const runModule = (pipeline: ShownPipeline): DynamicModule => ({
  module: RunModule,
  controllers: [
    LivenessController,
    RunReadinessController,
    MetricsController,
    FindingsController,
    UnknownsController,
    SourcesController,
    SubnetsController,
    RunStatusController,
    ActionsController,
    DecisionsController,
    OpenApiController,
  ],
  providers: [
    ...answering(pipeline),
    ...accessProviders(pipeline.access, pipeline.onRefused),
    OpenApi,
    { provide: METER, useValue: { text: () => metricsOf(pipeline) } },
    { provide: LEDGER, useValue: () => pipeline.deciding()?.ledger },
    { provide: DECISIONS, useValue: () => pipeline.deciding()?.decisions },
    { provide: DECIDERS, useValue: pipeline.access },
    { provide: CLUSTER_VIEWS, useValue: () => [viewOf(pipeline)] },
  ],
});

/** What liveness and readiness probes read, for a port of its own. */
export const runProbesModule = (pipeline: ShownPipeline): DynamicModule => ({
  module: RunProbesModule,
  controllers: [LivenessController, RunReadinessController],
  providers: answering(pipeline),
});

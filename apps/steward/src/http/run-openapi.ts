import {
  createHttpApp,
  type HttpApp,
  type HttpAppOptions,
} from '@ovn-steward/service/http/http-server';
import { openApiDocument } from '@ovn-steward/service/http/openapi';
import { OpenApi } from '@ovn-steward/service/http/openapi.controller';
import { runModule } from './run.module';
import type { ShownPipeline } from './shown-pipeline';

/**
 * The application that answers for a pipeline, with its OpenAPI document. It does not listen yet.
 */
export async function runApp(
  pipeline: ShownPipeline,
  onError: (message: string) => void,
  options: HttpAppOptions = {},
): Promise<HttpApp> {
  const app = await createHttpApp(runModule(pipeline), onError, options);
  app.nest.get(OpenApi).document = openApiDocument(app.nest, {
    title: 'ovn-steward',
    version: pipeline.version,
    description: 'What steward run knows; and where a login is asked for, what people decide.',
  });
  return app;
}

const never = (): never => {
  throw new Error('only described, not asked');
};

/** The OpenAPI document of `steward run --listen`. */
export async function stewardOpenApi(version: string): Promise<object> {
  const app = await runApp(
    {
      version,
      cluster: '',
      picture: never,
      expected: { streams: [], staleAfterMs: 0 },
      clock: never,
      unsettled: never,
      metrics: never,
      holds: never,
      deciding: never,
      notifier: never,
      access: undefined,
      onRefused: never,
      failure: never,
    },
    never,
  );
  return app.nest.get(OpenApi).document;
}

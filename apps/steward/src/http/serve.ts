import type { Picture } from '@ovn-steward/analyzer';
import type { Source } from '@ovn-steward/collector';
import type { ExecutorReading } from '@ovn-steward/executor';
import { addressOf, listenFailure } from '@ovn-steward/service/http/address';
import { httpModule, startHttp } from '@ovn-steward/service/http/http.module';
import { eventLoopDelay } from '@ovn-steward/service/meter/event-loop-delay';
import { messageOf } from '@ovn-steward/shared/errors';
import type { PipelineWatcher } from '../pipeline';
import { VERSION } from '../version';
import { createMetrics } from './metrics';
import { routesOf } from './routes';

/** A Kubernetes server that sends no bookmarks is heard of only when a watch ends, after five minutes at most. */
const STALE_AFTER_MS = 360_000;

export interface ServeOptions {
  /** `host:port`; port 0 takes any free one. */
  readonly listen: string;
  readonly cluster: string;
  readonly picture: () => Picture;
  /** The sources, and the names of all streams they will tell of. */
  readonly sources: readonly Pick<Source, 'id' | 'source'>[];
  readonly streams: readonly string[];
  /** The sources' clock, and how many times faster than ours it runs. */
  readonly clock: () => Date;
  readonly speed: number;
  readonly onError: (message: string) => void;
}

export interface Serving extends PipelineWatcher {
  readonly url: string;
  /** Stops listening and lets what is being answered end. May be called twice. */
  close(): Promise<void>;
}

/** The HTTP face of a pipeline, which it watches for its metrics. Nest is loaded here and nowhere else. @throws Failure `listen-failed`, `config-invalid`. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const address = addressOf(options.listen);
  const delay = eventLoopDelay();
  const metrics = createMetrics(
    VERSION,
    new Map(options.sources.map((it) => [it.id, it.source])),
    delay,
  );
  let failure: string | undefined;
  let executor: ExecutorReading | undefined;
  const routes = routesOf({
    version: VERSION,
    cluster: options.cluster,
    picture: options.picture,
    clock: options.clock,
    metrics: (shown) => metrics.text(shown, options.clock().getTime()),
    expected: {
      streams: options.streams,
      staleAfterMs: STALE_AFTER_MS * Math.max(1, options.speed),
    },
    holds: () => executor?.holds() ?? null,
    unsettled: () => executor?.unsettled() ?? [],
    failure: () => failure,
  });
  const server = await startHttp(httpModule(routes), address, options.onError).catch(
    (error: unknown) => {
      delay.stop();
      throw listenFailure(options.listen, error, '--listen');
    },
  );
  return {
    url: `http://${options.listen.slice(0, options.listen.lastIndexOf(':'))}:${server.port}`,
    onEvent: metrics.onEvent,
    onBatch: metrics.onBatch,
    onExecutor: metrics.onExecutor,
    onReading: (it) => {
      executor = it;
      metrics.onReading(it);
    },
    onFailed: (error) => {
      failure ??= messageOf(error);
    },
    async close() {
      delay.stop();
      await server.close();
    },
  };
}

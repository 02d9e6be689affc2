import { type Picture, STALE_AFTER_MS } from '@ovn-steward/analyzer';
import type { Source } from '@ovn-steward/collector';
import type { Deciding, ExecutorReading } from '@ovn-steward/executor';
import type { Score } from '@ovn-steward/judgement/score/score';
import type { NotifierReading } from '@ovn-steward/notifier';
import { addressOf, listenFailure, probesBeside } from '@ovn-steward/service/http/address';
import { createHttpApp, type HttpApp } from '@ovn-steward/service/http/http-server';
import { servedCertificate } from '@ovn-steward/service/http/served-certificate';
import { metricsModule } from '@ovn-steward/service/service.module';
import { accessOf } from '@ovn-steward/systems/access/access-of';
import { eventLoopDelay } from '@ovn-steward/service/meter/event-loop-delay';
import { messageOf } from '@ovn-steward/shared/errors';
import type { PipelineWatcher } from './pipeline';
import { VERSION } from '../process/version';
import { createMetrics } from './metrics';
import { metricsOf, runProbesModule } from './run.module';
import { runApp } from './run-openapi';
import type { ShownPipeline } from './shown-pipeline';

export interface ServeOptions {
  /** `host:port`; port 0 takes any free one. */
  readonly listen: string;
  /** The same, for probes only; beside the other by default. */
  readonly probes: string | undefined;
  readonly cluster: string;
  readonly picture: () => Picture;
  /** How Kube-OVN collects its own garbage; for the metrics. */
  readonly score?: () => Score | undefined;
  /** The sources, and the names of all streams they will publish. */
  readonly sources: readonly Pick<Source, 'id' | 'source'>[];
  readonly streams: readonly string[];
  /** The sources' clock, and how many times faster than ours it runs. */
  readonly clock: () => Date;
  readonly speed: number;
  readonly onError: (message: string) => void;
  /** Who may do what, and by which certificates; the metrics show when those end. */
  readonly settings: Parameters<typeof createMetrics>[3] & Parameters<typeof accessOf>[0];
}

export interface Serving extends PipelineWatcher {
  readonly url: string;
  /** Where `/livez` and `/readyz` are answered, for probes that read nothing else. */
  readonly probes: string;
  /** Where `/metrics` is answered besides, if so. */
  readonly metrics: string | undefined;
  /** Stops listening and lets what is being answered end. May be called twice. */
  close(): Promise<void>;
}

/**
 * The HTTP face of a pipeline, which it watches for its metrics. Nest is loaded here and nowhere
 * else.
 * @throws Failure `listen-failed`, `config-invalid`.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { listen, probes: probed = probesBeside(listen) } = options;
  addressOf(listen);
  addressOf(probed, 'http.probes');
  const delay = eventLoopDelay();
  const access = accessOf(options.settings);
  const certificate = servedCertificate(options.settings.http.tls);
  const metrics = createMetrics(
    VERSION,
    new Map(options.sources.map((it) => [it.id, it.source])),
    delay,
    options.settings,
  );
  let failure: string | undefined;
  let executor: ExecutorReading | undefined;
  let deciding: Deciding | undefined;
  let notifier: NotifierReading | undefined;
  const pipeline: ShownPipeline = {
    version: VERSION,
    cluster: options.cluster,
    picture: options.picture,
    clock: options.clock,
    metrics: (shown) =>
      metrics.text({ ...shown, score: options.score?.() }, options.clock().getTime()),
    expected: {
      streams: options.streams,
      staleAfterMs: STALE_AFTER_MS * Math.max(1, options.speed),
    },
    holds: () => executor?.holds() ?? null,
    unsettled: () => executor?.unsettled() ?? [],
    deciding: () => deciding,
    notifier: () => notifier?.status() ?? null,
    access,
    onRefused: metrics.onRefused,
    failure: () => failure,
  };
  const apps: HttpApp[] = [];
  const close = async (): Promise<void> => {
    delay.stop();
    for (const app of apps) await app.close();
  };
  const listening = async (
    app: HttpApp,
    at: string,
    flag: string,
    scheme = 'http',
  ): Promise<string> => {
    apps.push(app);
    try {
      return `${scheme}://${at.slice(0, at.lastIndexOf(':'))}:${await app.listen(addressOf(at))}`;
    } catch (error) {
      await close();
      throw listenFailure(at, error, flag);
    }
  };
  const { onError } = options;
  const { metrics: scraped } = options.settings.http;
  return {
    url: await listening(
      await runApp(pipeline, onError, { certificate }),
      listen,
      '--listen',
      certificate ? 'https' : 'http',
    ),
    probes: await listening(
      await createHttpApp(runProbesModule(pipeline), onError),
      probed,
      'STEWARD_HTTP__PROBES',
    ),
    metrics:
      scraped === undefined
        ? undefined
        : await listening(
            await createHttpApp(metricsModule({ text: () => metricsOf(pipeline) }), onError),
            scraped,
            'STEWARD_HTTP__METRICS',
          ),
    onEvent: metrics.onEvent,
    onBatch: metrics.onBatch,
    onExecutor: metrics.onExecutor,
    onReading: (executorReading) => {
      executor = executorReading;
      metrics.onReading(executorReading);
    },
    onNotifier: metrics.onNotifier,
    onNotifierReading: (reading) => {
      notifier = reading;
      metrics.onNotifierReading(reading);
    },
    onDeciding: (it) => {
      deciding = it;
    },
    onFailed: (error) => {
      failure ??= messageOf(error);
    },
    close,
  };
}

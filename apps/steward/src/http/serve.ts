import { addressOf, listenFailure, probesBeside } from '@ovn-steward/service/http/address';
import { createHttpApp, type HttpApp } from '@ovn-steward/service/http/http-server';
import { servedCertificate } from '@ovn-steward/service/http/served-certificate';
import { metricsModule } from '@ovn-steward/service/service.module';
import { accessOf } from '@ovn-steward/systems/access/access-of';
import { eventLoopDelay } from '@ovn-steward/service/meter/event-loop-delay';
import type { PipelineWatcher } from './pipeline';
import { metricsOf, runProbesModule } from './run.module';
import { runApp } from './run-openapi';
import { watchedPipeline, type WatchedOptions } from './watched-pipeline';

export interface ServeOptions extends WatchedOptions {
  /** `host:port`; port 0 takes any free one. */
  readonly listen: string;
  /** The same, for probes only; beside the other by default. */
  readonly probes: string | undefined;
  readonly onError: (message: string) => void;
  readonly settings: WatchedOptions['settings'] & Parameters<typeof accessOf>[0];
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
  const { listen, probes = probesBeside(listen), onError } = options;
  addressOf(listen);
  addressOf(probes, 'http.probes');
  const delay = eventLoopDelay();
  const access = accessOf(options.settings);
  const certificate = servedCertificate(options.settings.http.tls);
  const { pipeline, watcher } = watchedPipeline(options, access, delay);
  const servers = new Servers();
  const close = async (): Promise<void> => {
    delay.stop();
    await servers.close();
  };
  const scraped = options.settings.http.metrics;
  try {
    return {
      url: await servers.listen(
        await runApp(pipeline, onError, { certificate }),
        listen,
        '--listen',
        certificate ? 'https' : 'http',
      ),
      probes: await servers.listen(
        await createHttpApp(runProbesModule(pipeline), onError),
        probes,
        'STEWARD_HTTP__PROBES',
      ),
      metrics:
        scraped === undefined
          ? undefined
          : await servers.listen(
              await createHttpApp(metricsModule({ text: () => metricsOf(pipeline) }), onError),
              scraped,
              'STEWARD_HTTP__METRICS',
            ),
      ...watcher,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The applications that listen, each at its own address. */
class Servers {
  readonly #apps: HttpApp[] = [];

  /**
   * @returns the URL.
   * @throws Failure `listen-failed`, which names the flag.
   */
  async listen(app: HttpApp, at: string, flag: string, scheme = 'http'): Promise<string> {
    this.#apps.push(app);
    try {
      return `${scheme}://${at.slice(0, at.lastIndexOf(':'))}:${await app.listen(addressOf(at))}`;
    } catch (error) {
      throw listenFailure(at, error, flag);
    }
  }

  async close(): Promise<void> {
    for (const app of this.#apps) await app.close();
  }
}

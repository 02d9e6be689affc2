import type { Type } from '@nestjs/common';
import { sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { addressOf, listenFailure, probesBeside } from './http/address';
import { createHttpApp, type HttpApp } from './http/http-server';
import { servedCertificate } from './http/served-certificate';
import { openApiDocument } from './http/openapi';
import { OpenApi } from './http/openapi.controller';
import { ServiceHealth } from './health/service-health';
import { createLogger } from './log/logger';
import type { Logger } from './log/logger';
import type { Meter } from './meter/definition';
import { eventLoopDelay } from './meter/event-loop-delay';
import { createMeter } from './meter/meter';
import { registerProcessMetrics } from './meter/process-metrics';
import { SERVICE_METRICS } from './meter/service-metrics';
import type { ServiceDefinition, Shell } from './work/service';
import { metricsModule, probesModule, processModule } from './service.module';
import { serviceSettings } from './settings/service-settings';
import { stopSignals } from './stop-signals';
import { WORK, type Work } from './work/work';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/**
 * Runs the service of a module (`serviceMetadata`) until it receives a signal to stop, and settles
 * with the exit code. The order of things, from the start to the end:
 *
 * 1. HTTP listens: alive, not ready.
 * 2. The work opens what it needs, and goes on; a failure that may pass begins it again.
 * 3. On SIGTERM or SIGINT: not ready any more.
 * 4. The work takes nothing more, finishes what is in hand and is closed, last opened first
 *   (`Work.end`).
 * 5. HTTP closes, that of probes last.
 * 6. Exit code 0.
 *
 * 1 with a sentence on standard error: the work failed for good, or did not end before
 * `shutdown.deadline`.
 */
export async function runService(definition: ServiceDefinition, module: Type): Promise<number> {
  const { command } = definition;
  let shown = (text: string): string => text;
  const fail = (error: unknown): number => {
    process.stderr.write(
      `${command}: ${shown(error instanceof Failure ? error.message : `unexpected error: ${safeText(messageOf(error), 1000)}`)}\n`,
    );
    return 1;
  };
  try {
    const requested = serviceSettings(definition, process.argv.slice(2), process.env);
    if ('print' in requested) {
      process.stdout.write(requested.print);
      return 0;
    }
    const { settings } = requested;
    const logger = createLogger({
      ...settings.log,
      service: definition.name,
      cluster: definition.ofOneCluster ? settings.cluster : undefined,
    });
    for (const secret of secretsOf(settings)) logger.conceal(secret);
    shown = logger.shown;
    endOnBug(logger, fail);
    return await live(definition, { settings, logger, module, fail, only: requested.only });
  } catch (error) {
    return fail(error);
  }
}

/** Every secret among the settings that is set. */
const secretsOf = (settings: Settings): string[] =>
  settingsOf(sectionOf(Settings))
    .filter((it) => it.secret)
    .map((setting) =>
      setting.path
        .split('.')
        .reduce<unknown>(
          (value, name) => (value as Record<string, unknown> | undefined)?.[name],
          settings,
        ),
    )
    .filter((it) => typeof it === 'string');

interface Living {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly module: Type;
  readonly fail: (error: unknown) => number;
  readonly only: 'openapi' | undefined;
}

async function live(
  definition: ServiceDefinition,
  { settings, logger, module, fail, only }: Living,
): Promise<number> {
  const stop = stopSignals(logger); // first: one that comes while all else is being set up is kept
  const meter = createMeter([...Object.values(SERVICE_METRICS), ...definition.metrics], {
    process: true,
    onFailed: (reason) => logger.error('metrics are left out that cannot be read', { reason }),
  });
  const delay = eventLoopDelay();
  registerProcessMetrics(meter, definition.version, delay, settings);
  const onError = (reason: string): void => logger.error('an answer failed', { reason });
  const shell = shellOf(definition, { settings, logger, fail, only }, meter);
  const service = await createHttpApp(processModule(module, shell), onError, {
    certificate: only === undefined ? servedCertificate(settings.http.tls) : undefined,
  });
  const document = openApiDocument(service.nest, {
    title: definition.command,
    version: definition.version,
    description: `${definition.command} ${definition.description}`,
  });
  if (only === 'openapi') {
    process.stdout.write(indentedJson(document));
    return 0;
  }
  service.nest.get(OpenApi).document = document;

  const others = await listenBeside(service, shell, onError);
  logger.info('listening', { ...others.ports, version: definition.version });
  const work = service.nest.get<Work>(WORK);
  const failed = work.start().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await Promise.race([failed, stop.requested]);
  const patience = endWhenOverdue(settings, logger, work, fail);
  const closed = service.close(); // ends the work first
  const failure = await failed;
  if (failure) logger.error('work failed for good', failure);
  await closed;
  await others.close();
  logger.info('stopped', { exitCode: failure ? 1 : 0 });
  clearTimeout(patience);
  stop.ignore();
  delay.stop();
  return failure ? fail(failure.error) : 0;
}

const shellOf = (
  definition: ServiceDefinition,
  { settings, logger, fail, only }: Omit<Living, 'module'>,
  meter: Meter,
): Shell => ({
  identity: definition,
  settings,
  logger,
  meter,
  access: only === undefined ? definition.accessOf?.(settings) : undefined,
  endAtOnce(error) {
    logger.error('ending at once', { error });
    process.exit(fail(error));
  },
});

/**
 * Listens on `http.listen`, and beside it on the ports for probes and, where one is set, for
 * metrics.
 */
async function listenBeside(
  service: HttpApp,
  { settings: { http }, meter }: Shell,
  onError: (reason: string) => void,
): Promise<{ readonly ports: Readonly<Record<string, number>>; close(): Promise<void> }> {
  const { listen, probes: probed = probesBeside(listen), metrics: scraped } = http;
  const ports: Record<string, number> = { port: await listening(service, listen, 'http.listen') };
  const probes = await createHttpApp(probesModule(service.nest.get(ServiceHealth)), onError);
  ports['probes'] = await listening(probes, probed, 'http.probes');
  const apps = [probes];
  if (scraped !== undefined) {
    const metrics = await createHttpApp(metricsModule(meter), onError);
    ports['metrics'] = await listening(metrics, scraped, 'http.metrics');
    apps.unshift(metrics);
  }
  return {
    ports,
    async close() {
      for (const app of apps) await app.close();
    },
  };
}

/** Cuts the process off once `shutdown.deadline` has passed. */
const endWhenOverdue = (
  { shutdown: { deadline } }: Settings,
  logger: Logger,
  work: Work,
  fail: (error: unknown) => number,
): NodeJS.Timeout =>
  setTimeout(() => {
    logger.error('not ended in time', { hung: work.doing() });
    process.exit(
      fail(
        new Failure(
          'stop-overdue',
          `It did not end within ${deadline / 1000} s (shutdown.deadline) and was cut off at: ${work.doing()}. Nothing that was acknowledged is lost; see in the log what it waited for`,
        ),
      ),
    );
  }, deadline);

/** @throws Failure `listen-failed`, `config-invalid`, naming the setting. */
const listening = async (
  app: HttpApp,
  listen: string,
  setting: 'http.listen' | 'http.probes' | 'http.metrics',
): Promise<number> => {
  const address = addressOf(listen, setting);
  try {
    return await app.listen(address);
  } catch (error) {
    throw listenFailure(listen, error, `--${setting}`);
  }
};

/** An uncaught error leaves an unknown state: only a new process is sound. */
function endOnBug(logger: Logger, fail: (error: unknown) => number): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.error('a bug: an uncaught error', { error });
      process.exit(fail(error));
    });
  }
}

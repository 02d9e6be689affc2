import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka } from '@ovn-steward/testbed/kafka';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { type PrometheusServer, startPrometheus } from '@ovn-steward/testbed/prometheus';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { startSteward } from '../../apps/steward/src/testing/cli';
import { sampleOfSeries } from '../../apps/steward/src/testing/sample-of-series';
import { type ServiceName, startService } from './service';

/**
 * Jobs `services` (the four on Kafka), `run` (`steward run`), both on the leaky cluster, and
 * `sample` (every series there is, with the value 1).
 */
export interface ScrapedPipeline {
  readonly prometheus: PrometheusServer;
  /** When Prometheus began, in milliseconds. */
  readonly startedAt: number;
  stop(): Promise<void>;
}

const SERVICES: readonly ServiceName[] = ['collector', 'analyzer', 'executor', 'notifier'];

export async function startScrapedPipeline(): Promise<ScrapedPipeline> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-scraped-'));
  const ending: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of ending.reverse()) await end();
  };
  try {
    const [nb, kafka] = await Promise.all([
      startOvnStandalone({ database: recording('leaky', 'nb.db') }),
      startKafka(),
    ]);
    ending.push(() => Promise.all([nb.stop(), kafka.stop()]));
    const http = await serve(sampleOfSeries);
    ending.push(() => http.close());
    const read = {
      'ovnNb.remote': nb.remote,
      'kubernetes.recording': recording('leaky', 'kubernetes.json'),
    };
    // So short that findings are confirmed while somebody reads.
    const graces = Object.fromEntries(
      ['garbage', 'leak', 'drift', 'stuck', 'misplaced', 'missing'].map((ruleClass) => [
        `grace.${ruleClass}`,
        '20s',
      ]),
    );
    const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      collector: { ...read, 'lease.enabled': 'never' },
      analyzer: graces,
      executor: { 'signing.required': 'false', 'executor.mode': 'propose' },
      notifier: {
        'notify.sinks': JSON.stringify({ hook: { type: 'webhook', url: http.url, wait: '200ms' } }),
      },
    };
    const services = await Promise.all(
      SERVICES.map(async (name) => {
        const service = await startService(name, {
          settings: {
            ...(name !== 'notifier' && { cluster: 'scraped' }),
            stateDir: join(folder, name),
            'kafka.brokers': kafka.bootstrap.join(','),
            'kafka.replicationFactor': '1',
            ...settings[name],
          },
        });
        ending.push(() => service.kill());
        return service;
      }),
    );
    const run = await startRun(read, join(folder, 'run'));
    ending.push(run.stop);
    await Promise.all(services.map((it) => it.ready()));
    const prometheus = await startPrometheus({
      services: services.map((it) => new URL(it.url).host),
      run: [new URL(run.url).host],
      sample: [new URL(http.url).host],
    });
    ending.push(() => prometheus.stop());
    return { prometheus, startedAt: Date.now(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Answers GET with every series, and takes whatever else is sent. */
async function serve(
  text: typeof sampleOfSeries,
): Promise<{ readonly url: string; close(): void }> {
  const sample = await text({ process: true });
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(request.method === 'GET' ? sample : ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

async function startRun(
  read: Readonly<Record<string, string>>,
  stateDir: string,
): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
  const child = startSteward([
    'run',
    '--ovn-nb',
    read['ovnNb.remote']!,
    '--kubernetes',
    read['kubernetes.recording']!,
    '--state-dir',
    stateDir,
    '--listen',
    '127.0.0.1:0',
  ]);
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout!.resume();
  const ended = new Promise((resolve) => child.on('close', resolve));
  const stop = (): Promise<unknown> => {
    child.kill('SIGTERM');
    return ended;
  };
  try {
    const url = await waitFor(() => /^Listening on (http:\S+)$/m.exec(stderr)?.[1], {
      what: 'steward run to listen',
      timeoutMs: 30_000,
    });
    return { url, stop };
  } catch (error) {
    await stop();
    throw new Error(stderr, { cause: error });
  }
}

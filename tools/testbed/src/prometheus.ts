import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestJson } from './kubernetes/http';
import { prometheusAtHand } from './provision/promtool';
import { makeScratch, removeScratch } from './run/guard';
import { localSite } from './run/local';
import { claimPort, releasePort } from './run/ports';
import { startReady } from './run/ready';

/** A running Prometheus that scrapes each second. */
export interface PrometheusServer {
  /**
   * The labels of each series that the expression gives now.
   * @throws HttpError for an expression it cannot evaluate.
   */
  query(expr: string): Promise<readonly Readonly<Record<string, string>>[]>;
  /** What it gives now, or at a time in seconds, as Prometheus says it. */
  ask(expr: string, at?: number): Promise<readonly PrometheusAnswer[]>;
  /** The same over time, in seconds. */
  askOver(
    expr: string,
    range: { readonly start: number; readonly end: number; readonly step: number },
  ): Promise<readonly PrometheusAnswer[]>;
  /** The values of a label among the series that the selector chooses. */
  labelValues(label: string, selector: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** A series: its value, or its values over time, each with its time in seconds. */
export interface PrometheusAnswer {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [time: number, value: string];
  readonly values?: readonly (readonly [time: number, value: string])[];
}

/** Starts Prometheus on 127.0.0.1. @param targets `host:port` of what each job scrapes. */
export async function startPrometheus(
  targets: Readonly<Record<string, readonly string[]>>,
): Promise<PrometheusServer> {
  const folder = makeScratch('prometheus');
  const port = await claimPort();
  const site = localSite({ paths: { prometheus: prometheusAtHand()! }, env: {} }, folder);
  const config = join(folder, 'prometheus.json'); // JSON is YAML
  writeFileSync(config, JSON.stringify(configuration(targets)));
  const url = `http://127.0.0.1:${port}`;
  const server = await startReady(
    site,
    {
      name: 'Prometheus',
      program: 'prometheus',
      args: [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${site.listen}:${port}`,
      ],
      log: join(folder, 'log'),
    },
    {
      what: 'Prometheus to answer',
      timeoutMs: 30_000,
      check: () => requestJson(`${url}/api/v1/status/buildinfo`, 'GET', {}),
    },
  );
  const read = async <T>(path: string, parameters: Record<string, string>): Promise<T> => {
    const answer = await requestJson(
      `${url}${path}?${String(new URLSearchParams(parameters))}`,
      'GET',
      {},
    );
    return (answer as { data: T }).data;
  };
  const result = async (path: string, parameters: Record<string, string>) =>
    (await read<{ result: readonly PrometheusAnswer[] }>(path, parameters)).result;
  const ask = (expr: string, at?: number) =>
    result('/api/v1/query', { query: expr, ...(at !== undefined && { time: String(at) }) });
  return {
    query: async (expr) => (await ask(expr)).map((it) => it.metric),
    ask,
    askOver: (expr, { start, end, step }) =>
      result('/api/v1/query_range', {
        query: expr,
        start: String(start),
        end: String(end),
        step: String(step),
      }),
    labelValues: (label, selector) =>
      read(`/api/v1/label/${label}/values`, { 'match[]': selector }),
    async stop() {
      await server.stop();
      releasePort(port);
      removeScratch(folder);
    },
  };
}

const configuration = (targets: Readonly<Record<string, readonly string[]>>) => ({
  global: { scrape_interval: '1s', scrape_timeout: '1s' },
  scrape_configs: Object.entries(targets).map(([job, addresses]) => ({
    job_name: job,
    static_configs: [{ targets: addresses }],
  })),
});

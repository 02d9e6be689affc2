import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestJson } from './kubernetes/http';
import { alertmanagerAtHand } from './provision/alertmanager';
import { makeScratch, removeScratch } from './run/guard';
import { localSite } from './run/local';
import { claimPort, releasePort } from './run/ports';
import { startReady } from './run/ready';

/** An alert as API v2 gives it. */
export interface StandingAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** A running Alertmanager. */
export interface AlertmanagerServer {
  readonly url: string;
  /** The alerts that have not ended. */
  alerts(): Promise<readonly StandingAlert[]>;
  stop(): Promise<void>;
}

/**
 * Starts Alertmanager on 127.0.0.1, alone.
 * @param hook where it sends each group of alerts at once, also when they have ended.
 */
export async function startAlertmanager(hook: string): Promise<AlertmanagerServer> {
  const folder = makeScratch('alertmanager');
  const port = await claimPort();
  const { program, templates } = alertmanagerAtHand()!;
  if (templates !== undefined) cpSync(templates, folder, { recursive: true });
  const site = localSite({ paths: { alertmanager: program }, env: {} }, folder);
  const config = join(folder, 'alertmanager.json'); // JSON is YAML
  writeFileSync(config, JSON.stringify(configuration(hook)));
  const url = `http://127.0.0.1:${port}`;
  const server = await startReady(
    site,
    {
      name: 'Alertmanager',
      program: 'alertmanager',
      args: [
        `--config.file=${config}`,
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=${site.listen}:${port}`,
        '--cluster.listen-address=',
      ],
      log: join(folder, 'log'),
    },
    {
      what: 'Alertmanager to answer',
      timeoutMs: 30_000,
      check: () => requestJson(`${url}/api/v2/status`, 'GET', {}),
    },
  );
  return {
    url,
    alerts: async () =>
      (await requestJson(`${url}/api/v2/alerts`, 'GET', {})) as readonly StandingAlert[],
    async stop() {
      await server.stop();
      releasePort(port);
      removeScratch(folder);
    },
  };
}

const configuration = (hook: string) => ({
  route: {
    receiver: 'hook',
    group_by: ['...'],
    group_wait: '0s',
    group_interval: '1s',
    repeat_interval: '1h',
  },
  receivers: [{ name: 'hook', webhook_configs: [{ url: hook, send_resolved: true }] }],
});

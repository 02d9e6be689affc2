import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture } from '@ovn-steward/analyzer';
import { replayRecording } from '@ovn-steward/collector';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import { Notification } from '@ovn-steward/contracts/notifications/notification';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { until } from '@ovn-steward/shared/testing/until';
import { inputsFrom } from '../inputs/sources';
import { RECORDINGS } from '../testing/truth';
import { runPipeline } from './pipeline';
import type { RunStatus } from './run-status.controller';
import { serve, type Serving } from './serve';

const LEAKY = join(RECORDINGS, 'leaky');
const INPUT = { ovnNb: join(LEAKY, 'nb.db'), kubernetes: LEAKY };

let folder = '';
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-notify-'));
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

/** A server that accepts notifications, or that never answers. */
async function sink(received: Notification[] | undefined): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (it) => (text += String(it)));
    request.on('end', () => {
      if (received === undefined) return;
      received.push(Notification.parse(JSON.parse(text)));
      response.end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const settingsWith = (sinks: Readonly<Record<string, object>>): Settings =>
  Settings.parse({ stateDir: join(folder, 'state'), notify: { sinks } });

/** Runs a pipeline on the recording, with its HTTP; ends it when `use` is through. */
async function running(
  settings: Settings,
  notifies: boolean,
  use: (it: { serving: () => Serving | undefined; trouble: string[] }) => Promise<unknown>,
): Promise<void> {
  const inputs = inputsFrom(INPUT, settings);
  const time = replayRecording(inputs.sources, 3600);
  const stop = new AbortController();
  const trouble: string[] = [];
  const nothing = createEngine(settings);
  let picture = (): Picture => nothing;
  let serving: Serving | undefined;
  const ended = runPipeline(
    {
      settings,
      notifies,
      ...time,
      onFindings: () => undefined,
      onChanges: () => undefined,
      onSourceTrouble: (source, message) => void trouble.push(`${source}: ${message}`),
      onStart: async (analyzer) => {
        picture = () => analyzer.picture(settings.cluster) ?? nothing;
        serving = await serve({
          settings,
          ...time,
          speed: 3600,
          streams: inputs.streams,
          listen: '127.0.0.1:0',
          probes: '127.0.0.1:0',
          cluster: settings.cluster,
          picture: () => picture(),
          onError: (message) => void trouble.push(message),
        });
        return serving;
      },
    },
    stop.signal,
  );
  try {
    await Promise.race([use({ serving: () => serving, trouble }), ended]);
  } finally {
    await serving?.close();
    stop.abort();
    await ended;
  }
}

const get = async (serving: Serving | undefined, path: string): Promise<string> =>
  (await fetch(`${serving!.url}${path}`)).text();

test('each finding comes to the sink once, though another sink never answers; /status and /metrics show both', async () => {
  const received: Notification[] = [];
  const soon = { type: 'webhook', perMinute: 6000, wait: '0s', every: '100ms' };
  const sinks = {
    up: { ...soon, url: await sink(received) },
    down: { ...soon, url: await sink(undefined), timeout: '300ms' },
  };
  const notified = (): Set<string> =>
    new Set(received.flatMap(({ findings }) => findings.map(({ id }) => id)));
  let confirmed: string[] = [];
  await running(settingsWith(sinks), true, async ({ serving, trouble }) => {
    await until(async () => {
      if (serving() === undefined) return false;
      const page = JSON.parse(await get(serving(), '/findings?state=confirmed&limit=1000')) as {
        ready: boolean;
        findings: { id: string }[];
      };
      confirmed = page.findings.map(({ id }) => id);
      return page.ready && confirmed.length > 20 && confirmed.every((id) => notified().has(id));
    });
    await until(() => trouble.some((it) => it.startsWith('notify: sink down: ')));
    const { notifier } = JSON.parse(await get(serving(), '/status')) as RunStatus;
    expect(notifier).toMatchObject({
      sinks: [
        { name: 'up', type: 'webhook', failure: null },
        { name: 'down', type: 'webhook', failure: expect.stringContaining('timeout') },
      ],
    });
    const metrics = await get(serving(), '/metrics');
    expect(metrics).toMatch(
      /^steward_notifier_notifications_total\{sink="up",state="open"\} [1-9]/m,
    );
    expect(metrics).toMatch(
      /^steward_notifier_notifications_total\{sink="down",state="open"\} 0$/m,
    );
    expect(metrics).toMatch(/^steward_notifier_failures_total\{sink="down"\} [1-9]/m);
    expect(metrics).toMatch(/^steward_notifier_lag_records\{partition="\d+"\} 0$/m);
  });
  const added = received.reduce((sum, it) => sum + it.added, 0);
  expect(added).toBe(notified().size);
  const before = received.length;
  // A second start sends nothing again.
  await running(settingsWith(sinks), true, ({ serving }) =>
    until(async () => {
      if (serving() === undefined) return false;
      const { notifier } = JSON.parse(await get(serving(), '/status')) as RunStatus;
      return (
        notifier !== null && notifier.partitions.length > 0 && notifier.sinks[0]!.waiting === 0
      );
    }),
  );
  expect(received.slice(before)).toEqual([]);
});

test('nobody is notified of a recording, or without a sink', async () => {
  const received: Notification[] = [];
  const hook = { type: 'webhook', url: await sink(received) };
  for (const [settings, notifies] of [
    [settingsWith({ hook }), false],
    [settingsWith({}), true],
  ] as const)
    await running(settings, notifies, ({ serving }) =>
      until(async () => {
        if (serving() === undefined) return false;
        const status = JSON.parse(await get(serving(), '/status')) as RunStatus;
        expect(status.notifier).toBeNull();
        return status.summary.findings > 20;
      }),
    );
  expect(received).toEqual([]);
});

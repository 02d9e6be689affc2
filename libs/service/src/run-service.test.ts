import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE = join(__dirname, 'testing', 'sample-service.cjs');

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<[number | null, NodeJS.Signals | null]>;
  readonly lines: () => Record<string, unknown>[];
  readonly messages: () => unknown[];
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Where it listens. */
  url(): Promise<string>;
  /** Where it answers probes. */
  probes(): Promise<string>;
}

let started: ChildProcess[] = [];
beforeEach(() => {
  started = [];
});
afterEach(() => {
  for (const it of started) it.kill('SIGKILL');
});

function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Running {
  if (!existsSync(join(__dirname, '..', 'dist', 'run-service.js')))
    throw new Error('libs/service is not built; npm test builds it, or run npm run build');
  const child = spawn(process.execPath, [SAMPLE, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = (): Record<string, unknown>[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((it) => JSON.parse(it) as Record<string, unknown>);
  const listening = async (which: 'port' | 'probes'): Promise<string> => {
    while (child.exitCode === null) {
      const port = lines().find((it) => it['message'] === 'listening')?.[which];
      if (port !== undefined) return `http://127.0.0.1:${port as number}`;
      await sleep(25);
    }
    throw new Error(`it does not listen: ${stdout}${stderr}`);
  };
  return {
    child,
    lines,
    ended: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    messages: () => lines().map((it) => it['message']),
    stdout: () => stdout,
    stderr: () => stderr,
    url: () => listening('port'),
    probes: () => listening('probes'),
  };
}

const request = async (url: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(url);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
};

async function whenReady(url: string): Promise<void> {
  while ((await request(`${url}/readyz`)).status !== 200) await sleep(20);
}

test('it is alive before it is ready, reports itself, and ends in order on SIGTERM', async () => {
  const running = start();
  const url = await running.url();
  expect(await request(`${url}/livez`)).toEqual({ status: 200, body: { status: 'alive' } });
  await whenReady(url);
  expect(await request(`${url}/status`)).toMatchObject({
    status: 200,
    body: { service: 'sampler', version: '1.2.3', ready: true, missing: [], partitions: [1, 2] },
  });
  const metrics = (await request(`${url}/metrics`)).body;
  for (const line of [
    /^steward_ready 1$/m,
    /^steward_build_info\{version="1\.2\.3"\} 1$/m,
    /^process_resident_memory_bytes \d/m,
    /^steward_event_loop_delay_seconds\{quantile="1"\}/m,
    /^steward_work_retries_total 0$/m,
  ])
    expect(metrics).toMatch(line);
  expect(
    Object.keys(((await request(`${url}/openapi.json`)).body as { paths: object }).paths),
  ).toEqual(['/livez', '/readyz', '/metrics', '/status', '/openapi.json']);

  running.child.kill('SIGTERM');
  await sleep(100); // while it finishes what is in hand
  expect(await request(`${url}/readyz`)).toMatchObject({
    status: 503,
    body: { missing: [{ what: 'work', detail: 'it was asked to end' }] },
  });
  expect((await request(`${url}/livez`)).status).toBe(200);
  expect(await running.ended).toEqual([0, null]);
  expect(running.messages()).toEqual([
    'listening',
    'stopping',
    'finishing what is in hand',
    'work ended',
    'closed',
    'closed',
    'stopped',
  ]);
  expect(
    running
      .lines()
      .filter((line) => line['message'] === 'closed')
      .map((line) => line['what']),
  ).toEqual(['log', 'state']);
  expect(
    running.lines().every((line) => line['service'] === 'sampler' && line['cluster'] === 'default'),
  ).toBe(true);
  expect(running.stderr()).toBe('');
});

test('probes are answered on a port of their own, from the first to the last, and nothing else is', async () => {
  const running = start();
  const url = await running.url();
  const probes = await running.probes();
  expect(probes).not.toBe(url);
  const half = Array.from({ length: 250 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => undefined)
      .on('connect', function begin(this: Socket) {
        this.write('GET /livez HTTP/1.1\r\nHost: a\r\n');
      }),
  );
  await Promise.all(half.map((socket) => once(socket, 'connect')));
  expect(await request(`${probes}/livez`)).toEqual({ status: 200, body: { status: 'alive' } });
  await whenReady(probes);
  expect((await request(`${url}/livez`)).status).toBe(200);
  for (const path of ['/metrics', '/status', '/openapi.json'])
    expect((await request(`${probes}${path}`)).status).toBe(404);
  running.child.kill('SIGTERM');
  await sleep(100); // while it finishes what is in hand
  expect([
    (await request(`${probes}/livez`)).status,
    (await request(`${probes}/readyz`)).status,
  ]).toEqual([200, 503]);
  expect(await running.ended).toEqual([0, null]);
  for (const socket of half) socket.destroy();
});

test('what hangs is cut off at the deadline, and named', async () => {
  const running = start(['--shutdown.deadline', '1s'], { SAMPLE_FAULT: 'hang' });
  await whenReady(await running.url());
  running.child.kill('SIGINT');
  expect(await running.ended).toEqual([1, null]);
  expect(running.lines().at(-1)).toMatchObject({
    level: 'error',
    message: 'not ended in time',
    hung: 'closing log',
  });
  expect(running.stderr()).toMatch(
    /^steward-sampler: It did not end within 1 s .* at: closing log\..*\n$/,
  );
});

test('a second signal ends it at once', async () => {
  const running = start([], { SAMPLE_FAULT: 'hang' });
  await whenReady(await running.url());
  running.child.kill('SIGTERM');
  await sleep(600);
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([1, null]);
  expect(running.messages().at(-1)).toBe('ending at once');
});

test('a failure that cannot be mended is logged, said in one sentence, and exit code 1', async () => {
  const running = start([], { SAMPLE_FAULT: 'drift' });
  expect(await running.ended).toEqual([1, null]);
  expect(running.stderr()).toBe(
    'steward-sampler: The topic t has 3 partitions, not 12: remove it\n',
  );
  expect(running.lines()).toContainEqual(
    expect.objectContaining({
      level: 'error',
      message: 'work failed for good',
      error: { code: 'log-topic-drift', message: expect.any(String) },
    }),
  );
});

test('what nobody caught is logged with where it was, and exit code 1', async () => {
  const running = start([], { SAMPLE_FAULT: 'bug' });
  expect(await running.ended).toEqual([1, null]);
  expect(running.lines().at(-1)).toMatchObject({
    level: 'error',
    error: { code: 'TypeError', stack: expect.stringContaining('sample-service') },
  });
  expect(running.stderr()).toBe('steward-sampler: unexpected error: nobody caught this\n');
});

test('a signal that comes while it starts is not lost', async () => {
  const running = start([], { SAMPLE_FAULT: 'early' });
  expect(await running.ended).toEqual([0, null]);
  expect(running.messages()).toContain('stopped');
});

test.each([
  ['secret', 'json'],
  ['settings', 'json'],
  ['leak', 'json'],
  ['secret', 'text'],
  ['settings', 'text'],
  ['leak', 'text'],
])('a password is nowhere to be read: %s, %s', async (fault, format) => {
  const password = 'hunter2-"quoted"';
  const env = {
    SAMPLE_FAULT: fault,
    STEWARD_KAFKA__SASL__PASSWORD: password,
    STEWARD_KAFKA__SASL__MECHANISM: 'scram-sha-512',
    STEWARD_KAFKA__SASL__USERNAME: 'u',
  };
  const running = start(
    ['--log.format', format, '--log.level', 'debug', '--http.listen', '127.0.0.1:0'],
    env,
  );
  while (!/work failed|settings|nobody/.test(running.stdout()) && running.child.exitCode === null)
    await sleep(20);
  running.child.kill('SIGTERM');
  await running.ended;
  expect(running.stdout()).toContain('***');
  expect(running.stdout() + running.stderr()).not.toContain('hunter2');
});

test('wrong settings and a port that is taken are one sentence and exit code 1', async () => {
  const unknown = start(['--kafka.brokrs', 'a:1']);
  expect(await unknown.ended).toEqual([1, null]);
  expect(unknown.stderr()).toMatch(
    /^steward-sampler: There is no setting --kafka\.brokrs; did you mean --kafka\.brokers\?/,
  );
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const listen = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  const second = start(['--http.listen', listen]);
  expect(await second.ended).toEqual([1, null]);
  expect(second.stderr()).toBe(
    `steward-sampler: Cannot listen on ${listen}: another process has it. Choose another address with --http.listen host:port; port 0 takes any free one\n`,
  );
  const third = start(['--http.probes', listen]);
  expect(await third.ended).toEqual([1, null]);
  expect(third.stderr()).toContain(
    `Cannot listen on ${listen}: another process has it. Choose another address with --http.probes host:port`,
  );
  taken.close();
});

test('help and version are printed, and nothing runs', async () => {
  const help = start(['--help']);
  expect(await help.ended).toEqual([0, null]);
  expect(help.stdout()).toMatch(/^steward-sampler 1\.2\.3: samples\./);
  const version = start(['--version']);
  expect([await version.ended, version.stdout()]).toEqual([[0, null], '1.2.3\n']);
  const openapi = start(['--openapi']);
  await openapi.ended;
  expect(Object.keys((JSON.parse(openapi.stdout()) as { paths: object }).paths)).toContain(
    '/readyz',
  );
});

test('nobody reading its log does not stop it', async () => {
  const running = start();
  const url = await running.url();
  running.child.stdout!.destroy();
  await whenReady(url);
  running.child.kill('SIGTERM');
  expect((await once(running.child, 'exit'))[0]).toBe(0);
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FindingsPage, Readiness } from '@ovn-steward/analyzer';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { startSteward, steward } from '../testing/cli';
import { RECORDINGS } from '../testing/truth';
import { RunStatus } from './run-status.controller';

const LEAKY = join(RECORDINGS, 'leaky');

let folder = '';
let started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-http-'));
  started = [];
});
afterEach(() => {
  for (const it of started) it.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const args = (...more: string[]): string[] => [
  'run',
  '--ovn-nb',
  join(LEAKY, 'nb.db'),
  '--kubernetes',
  LEAKY,
  '--state-dir',
  join(folder, 'state'),
  '--speed',
  '3600',
  ...more,
];

interface Running {
  readonly url: string;
  readonly probes: string;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown[]>;
  readonly stderr: () => string;
}

/** Starts it and waits until it says where it listens. */
async function listening(
  more: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = startSteward(args(...more), env);
  started.push(child);
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout!.resume();
  for (let tries = 0; tries < 400 && child.exitCode === null; tries++) {
    const [, url, probes] = /^Listening on (http:\S+)\nProbes on (http:\S+)$/m.exec(stderr) ?? [];
    if (url && probes) return { url, probes, child, ended, stderr: () => stderr };
    await sleep(50);
  }
  throw new Error(`it does not listen: ${stderr}`);
}

async function send(
  url: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string; text: string }> {
  const sent =
    method === 'GET'
      ? get(url, { headers, agent: false })
      : request(url, { method, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode!, type: response.headers['content-type'] ?? '', text };
}

async function whenReady(url: string): Promise<Readiness> {
  for (let tries = 0; tries < 200; tries++) {
    const { status, text } = await send(`${url}/readyz`);
    if (status === 200) return Readiness.parse(JSON.parse(text));
    expect(status).toBe(503);
    expect(Readiness.parse(JSON.parse(text)).missing.length).toBeGreaterThan(0);
    await sleep(50);
  }
  throw new Error('never ready');
}

test('a run answers on every route, changes nothing for a stranger, and ends soon after SIGTERM', async () => {
  const { url, probes, child, ended, stderr } = await listening(['--listen', '127.0.0.1:0']);
  expect(await send(`${url}/livez`)).toMatchObject({ status: 200, text: '{"status":"alive"}' });
  await whenReady(url);
  expect((await whenReady(probes)).missing).toEqual([]);
  expect(await send(`${probes}/livez`)).toMatchObject({ status: 200, text: '{"status":"alive"}' });
  for (const path of ['/metrics', '/findings', '/status', '/openapi.json'])
    expect([path, (await send(probes + path)).status]).toEqual([path, 404]);

  const page = FindingsPage.parse(JSON.parse((await send(`${url}/findings?limit=2`)).text));
  expect(page).toMatchObject({ ready: true, findings: { length: 2 } });
  expect(page.total).toBeGreaterThan(20);
  const one = await send(`${url}/findings/${page.findings[0]!.id}`);
  expect(Finding.parse(JSON.parse(one.text)).id).toBe(page.findings[0]!.id);
  const status = RunStatus.parse(JSON.parse((await send(`${url}/status`)).text));
  expect(status.sources.map((it) => [it.id, it.complete])).toEqual([
    ['kubernetes', true],
    ['ovn-nb', true],
  ]);
  expect(status.pairing).toMatchObject({ state: 'paired', evidence: { disagree: 0 } });
  expect(status.summary.findings).toBe(page.total);
  const metrics = await send(`${url}/metrics`);
  expect(metrics.type).toContain('text/plain');
  expect(metrics.text).toMatch(/^steward_ready 1$/m);
  expect(metrics.text).toMatch(/^steward_pairing\{state="paired"\} 1$/m);
  expect(metrics.text).toMatch(
    /^steward_collector_changes_published_total\{source="kubernetes"\} [1-9]/m,
  );
  expect(metrics.text).toMatch(/^steward_analyzer_batch_duration_seconds_count [1-9]/m);
  expect(metrics.text).not.toContain('recording:');
  expect(
    Object.keys((JSON.parse((await send(`${url}/openapi.json`)).text) as { paths: object }).paths),
  ).toContain('/findings/{id}');

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await send(`${url}/findings`, method)).status).toBe(405);
  for (const path of [
    '/findings?state=gone',
    '/findings?__proto__[x]=1',
    '/findings?limit=9&limit=9',
    '/findings/%E0%A4%A',
  ])
    expect([path, (await send(url + path)).status]).toEqual([path, 400]);
  for (const path of ['/findings/__proto__', '/findings/..%2f..%2fetc%2fpasswd', '/nothing'])
    expect([path, (await send(url + path)).status]).toEqual([path, 404]);
  expect((await send(`${url}/livez`, 'GET', { Host: 'evil"><script>.example:99999' })).text).toBe(
    '{"status":"alive"}',
  );

  const { port } = new URL(url);
  const slow = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  slow.write('GET /status HTTP/1.1\r\nHost: a\r\n');
  await sleep(100);
  // Who waited for the rest of that request would never end: it does not come.
  child.kill('SIGTERM');
  expect(await ended).toEqual([2, null]);
  expect(stderr()).toBe(`Listening on ${url}\nProbes on ${probes}\n`);
  await expect(send(`${url}/livez`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('the setting turns it on as well', async () => {
  const { url, child, ended } = await listening([], { STEWARD_HTTP__LISTEN: '127.0.0.1:0' });
  expect((await send(`${url}/livez`)).status).toBe(200);
  child.kill('SIGINT');
  await ended;
});

test('a port for probes that is taken is one sentence, exit code 1, and nothing listens', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const probes = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  try {
    expect(
      await steward(args('--listen', '127.0.0.1:0'), { STEWARD_HTTP__PROBES: probes }),
    ).toEqual({
      code: 1,
      stdout: '',
      stderr: `steward: Cannot listen on ${probes}: another process has it. Choose another address with STEWARD_HTTP__PROBES host:port; port 0 takes any free one\n`,
    });
  } finally {
    taken.close();
  }
});

test('a port that is taken is one sentence and exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const listen = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  try {
    // A run that fails does not wait until it is quiet, which here would outlast the test.
    expect(await steward(args('--listen', listen, '--until-quiet', '3600'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `steward: Cannot listen on ${listen}: another process has it. Choose another address with --listen host:port; port 0 takes any free one\n`,
    });
  } finally {
    taken.close();
  }
});

describe('what HTTP costs', () => {
  /**
   * Has the process write down which files it loads, and gives the packages that are bundled in
   * them.
   */
  const watched = (): { env: Record<string, string>; packages: () => string[] } => {
    const hooks = mkdtempSync(join(folder, 'loaded-'));
    const urls = join(hooks, 'urls');
    writeFileSync(
      join(hooks, 'load.mjs'),
      `import { appendFileSync } from 'node:fs';
export function load(url, context, next) {
  appendFileSync(${JSON.stringify(urls)}, url + '\\n');
  return next(url, context);
}`,
    );
    const hook = join(hooks, 'register.mjs');
    writeFileSync(
      hook,
      `import { register } from 'node:module';\nregister('./load.mjs', import.meta.url);`,
    );
    return {
      env: { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` },
      packages: () => packagesIn(readFileSync(urls, 'utf8').split('\n')),
    };
  };
  const HTTP = ['@nestjs', 'express', 'prom-client'];
  /** Of the files of the bundle among some. */
  const packagesIn = (urls: readonly string[]): string[] => {
    const files = urls.filter((it) => it.includes('/dist/bundle/'));
    expect(files.length).toBeGreaterThan(0);
    const modules = files.flatMap(
      (file) =>
        (JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as { sources: string[] })
          .sources,
    );
    return HTTP.filter((it) => modules.some((path) => path.includes(`/node_modules/${it}/`)));
  };

  it.each([
    ['audit', '--help'],
    ['--version'],
    ['audit', '--ovn-nb', join(LEAKY, 'nb.db'), '--kubernetes', LEAKY],
    ['run', '--help'],
  ])('is not paid by %s %s', async (...command) => {
    const { env, packages } = watched();
    await steward(command, env);
    expect(packages()).toEqual([]);
  });

  it('is not paid by a run that does not listen', async () => {
    const { env, packages } = watched();
    // Longer than a busy machine needs to read the recording.
    expect(await steward(args('--until-quiet', '5'), env)).toMatchObject({ code: 2, stderr: '' });
    expect(packages()).toEqual([]);
  });

  it('is seen where it is paid', async () => {
    const { env, packages } = watched();
    const { child, ended } = await listening(['--listen', '127.0.0.1:0'], env);
    child.kill('SIGTERM');
    await ended;
    expect(packages()).toEqual(HTTP);
  });
});

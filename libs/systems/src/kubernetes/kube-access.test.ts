import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { kubeAccess } from './kube-access';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function kubeconfig(
  user: Record<string, unknown>,
  cluster: Record<string, unknown> = {},
  name = 'config',
): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': `${name}-ctx`,
      clusters: [
        { name: `${name}-c`, cluster: { server: 'https://cluster.example:6443/k8s', ...cluster } },
      ],
      users: [{ name: `${name}-u`, user }],
      contexts: [{ name: `${name}-ctx`, context: { cluster: `${name}-c`, user: `${name}-u` } }],
    }),
  );
  return file;
}

async function headersOf(
  access: ReturnType<typeof kubeAccess>,
): Promise<RequestOptions['headers']> {
  const options: RequestOptions = { headers: { accept: 'application/json' } };
  await access.authenticate(options);
  return options.headers;
}

const plugin = (script: string) => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', script],
  },
});

test('takes server, token and certificate authority from the current context', async () => {
  const access = kubeAccess({
    kubeconfig: kubeconfig(
      { token: 'secret' },
      { 'certificate-authority-data': Buffer.from('PEM').toString('base64') },
    ),
  });
  const options: RequestOptions = {};
  await access.authenticate(options);
  expect(access.server.href).toBe('https://cluster.example:6443/k8s');
  expect(options).toMatchObject({
    headers: { Authorization: 'Bearer secret' },
    ca: Buffer.from('PEM'),
  });
});

test('keeps the headers that are there', async () => {
  expect(await headersOf(kubeAccess({ kubeconfig: kubeconfig({ token: 'secret' }) }))).toEqual({
    accept: 'application/json',
    Authorization: 'Bearer secret',
  });
});

test('follows a token file beside the kubeconfig, which goes before a token', async () => {
  writeFileSync(join(folder, 'token'), 'from-file\n');
  expect(
    await headersOf(kubeAccess({ kubeconfig: kubeconfig({ tokenFile: 'token', token: 'stale' }) })),
  ).toMatchObject({ Authorization: 'Bearer from-file' });
});

test('runs an exec plugin once for many requests', async () => {
  const log = join(folder, 'log');
  const script = `require('fs').appendFileSync(${JSON.stringify(log)}, 'x'); console.log(JSON.stringify({ status: { token: 't' + require('fs').readFileSync(${JSON.stringify(log)}).length } }))`;
  const access = kubeAccess({ kubeconfig: kubeconfig(plugin(script)) });
  const all = await Promise.all(Array.from({ length: 5 }, () => headersOf(access)));
  expect(new Set(all.map((it) => it?.['Authorization' as never]))).toEqual(new Set(['Bearer t1']));
});

test('never repeats what an exec plugin printed', async () => {
  const access = kubeAccess({ kubeconfig: kubeconfig(plugin("console.log('token=very-secret')")) });
  const error: unknown = await headersOf(access).catch((it: unknown) => it);
  expect(error).toMatchObject({ code: 'source-refused' });
  expect(String(error)).not.toContain('secret');
  expect(String(error)).toContain('config-u');
});

test('reads the kubeconfig again when the server refused what it said', async () => {
  const file = kubeconfig({ token: 'old' });
  const access = kubeAccess({ kubeconfig: file });
  expect(await headersOf(access)).toMatchObject({ Authorization: 'Bearer old' });
  kubeconfig({ token: 'new' });
  const now = Date.now;
  try {
    Date.now = () => now() + 5_000;
    access.renew();
  } finally {
    Date.now = now;
  }
  expect(await headersOf(access)).toMatchObject({ Authorization: 'Bearer new' });
});

test('merges the files KUBECONFIG names; the first says which context is current', async () => {
  const before = process.env['KUBECONFIG'];
  process.env['KUBECONFIG'] =
    `${kubeconfig({ token: 'one' }, {}, 'one')}:${kubeconfig({ token: 'two' }, {}, 'two')}`;
  try {
    expect(await headersOf(kubeAccess())).toMatchObject({ Authorization: 'Bearer one' });
    expect(await headersOf(kubeAccess({ context: 'two-ctx' }))).toMatchObject({
      Authorization: 'Bearer two',
    });
  } finally {
    if (before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = before;
  }
});

test('plain HTTP is for this machine', () => {
  expect(
    kubeAccess({ kubeconfig: kubeconfig({}, { server: 'http://127.0.0.1:8001' }) }).server.port,
  ).toBe('8001');
  expect(() =>
    kubeAccess({ kubeconfig: kubeconfig({}, { server: 'http://10.0.0.1:8001' }) }),
  ).toThrow(/plain http:\/\/10.0.0.1:8001/);
  expect(
    kubeAccess({
      kubeconfig: kubeconfig(
        {},
        { server: 'http://10.0.0.1:8001', 'insecure-skip-tls-verify': true },
      ),
    }).server.hostname,
  ).toBe('10.0.0.1');
});

test.each<[string, () => unknown, string, RegExp]>([
  [
    'a missing file',
    () => kubeAccess({ kubeconfig: join(folder, 'none') }),
    'input-not-found',
    /No kubeconfig at .*none/,
  ],
  [
    'an unknown context',
    () => kubeAccess({ kubeconfig: kubeconfig({}), context: 'other' }),
    'config-invalid',
    /Context other .* contexts there: config-ctx/,
  ],
  [
    'a file that is empty',
    () => {
      writeFileSync(join(folder, 'empty'), '');
      return kubeAccess({ kubeconfig: join(folder, 'empty') });
    },
    'config-invalid',
    /cannot be read as one/,
  ],
  [
    'a file that is no YAML',
    () => {
      writeFileSync(join(folder, 'bad'), '{');
      return kubeAccess({ kubeconfig: join(folder, 'bad') });
    },
    'config-invalid',
    /cannot be read as one/,
  ],
  [
    'a server that is no address',
    () => kubeAccess({ kubeconfig: kubeconfig({}, { server: 'cluster' }) }),
    'config-invalid',
    /no usable server address/,
  ],
])('%s is reported in one sentence', (_name, act, code, message) => {
  let error: unknown;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code });
  expect(String(error)).toMatch(message);
});

test('as a pod, no kubeconfig is read', () => {
  const file = kubeconfig({ token: 'of somebody else' });
  expect(() => kubeAccess({ kubeconfig: file, asPod: true })).toThrow(
    expect.objectContaining({ code: 'input-not-found' }),
  );
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

const PACKAGE = join(__dirname, '..', '..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kube-config-'));
  execFileSync(process.execPath, [join(PACKAGE, 'bundle-kube-config.cjs'), folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints what a request gets by a kubeconfig. */
const PRINT = `
const [from, file] = process.argv.slice(1);
const loaded = require(from);
const config = loaded.emptyKubeConfig?.() ?? new loaded.KubeConfig();
config.loadFromFile(file);
const options = { headers: {} };
config.applyToHTTPSOptions(options).then(
  () => {
    const { agent, ...rest } = options;
    const proxy = agent && { is: agent.constructor.name, proxy: String(agent.proxy?.href ?? agent.proxy?.host ?? '') };
    const request = { ...rest, agent: proxy, current: config.getCurrentContext(), contexts: config.getContexts() };
    process.stdout.write(JSON.stringify({ request }));
  },
  (error) => process.stdout.write(JSON.stringify({ failure: String(error) })),
);`;

interface Printed {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly failure?: string;
}

/** By a process of its own, which ends at the first use of something deprecated. */
const printed = (module: string, file: string): Printed =>
  JSON.parse(
    execFileSync(process.execPath, ['--throw-deprecation', '-e', PRINT, module, file], {
      cwd: PACKAGE,
      encoding: 'utf8',
    }),
  ) as Printed;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** A token that has a year to go, as far as its claims say. */
const jwt = `${base64('{}')}.${base64(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 31_536_000 }))}.x`;
const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: process.execPath,
  args: [
    '-e',
    `console.log(JSON.stringify({apiVersion:'client.authentication.k8s.io/v1',kind:'ExecCredential',status:{token:'from-plugin'}}))`,
  ],
};
const oidc = {
  name: 'oidc',
  config: {
    'client-id': 'us',
    'client-secret': 'secret',
    'id-token': jwt,
    'refresh-token': 'again',
    'idp-issuer-url': 'https://issuer.example',
  },
};

test.each<[string, object, object?]>([
  ['a token', { token: 'secret' }],
  ['a name and password', { username: 'anna', password: 'secret' }],
  [
    'a certificate',
    { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
    { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'api' },
  ],
  ['an exec plugin', { exec }],
  ['OIDC', { 'auth-provider': oidc }],
  ['an impersonated user', { token: 'secret', as: 'somebody' }],
  ['a proxy', { token: 'secret' }, { 'proxy-url': 'http://proxy.example:3128' }],
  ['a SOCKS proxy', { token: 'secret' }, { 'proxy-url': 'socks5://proxy.example:1080' }],
  ['a plugin that is not there', { exec: { ...exec, command: '/nonexistent/plugin' } }],
])('%s gives a request the same in the bundle as in client-node', (_, user, cluster = {}) => {
  const file = join(folder, 'config');
  writeFileSync(
    file,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      clusters: [{ name: 'c', cluster: { server: 'https://cluster.example:6443', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    }),
  );
  const bundled = printed(join(folder, 'kube-config.js'), file);
  expect(bundled).toEqual(printed('@kubernetes/client-node/dist/config.js', file));
  expect(bundled.request ?? bundled.failure).toBeDefined();
});

test('the bundle needs no package, and says the terms of each that is in it', () => {
  const code = readFileSync(join(folder, 'kube-config.js'), 'utf8');
  const terms = readFileSync(join(folder, 'kube-config.licenses.txt'), 'utf8');
  const needed = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
  expect(needed.filter((it) => !isBuiltin(it))).toEqual([]);
  for (const name of ['@kubernetes/client-node', 'openid-client', 'hpagent', 'js-yaml'])
    expect(terms).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(code).not.toContain('class CoreV1Api');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKubeconfig, kubeconfigText } from './kubeconfig';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('what is written is read back', () => {
  const file = write('config', kubeconfigText('https://127.0.0.1:1', 'the CA\n', 'the token'));
  expect(readKubeconfig(file)).toEqual({
    url: 'https://127.0.0.1:1',
    ca: 'the CA\n',
    token: 'the token',
  });
});

test('the current context counts, and files are looked for beside the config', () => {
  write('client.crt', 'certificate');
  write('client.key', 'key');
  const file = write(
    'config',
    JSON.stringify({
      'current-context': 'two',
      contexts: [
        { name: 'one', context: { cluster: 'a', user: 'x' } },
        { name: 'two', context: { cluster: 'b', user: 'y' } },
      ],
      clusters: [
        { name: 'a', cluster: { server: 'https://a' } },
        { name: 'b', cluster: { server: 'https://b' } },
      ],
      users: [
        { name: 'x', user: { token: 'wrong' } },
        { name: 'y', user: { 'client-certificate': 'client.crt', 'client-key': 'client.key' } },
      ],
    }),
  );
  expect(readKubeconfig(file)).toEqual({
    url: 'https://b',
    certificate: 'certificate',
    key: 'key',
  });
});

test('a config without a server says so', () => {
  expect(() => readKubeconfig(write('config', '{}'))).toThrow(
    'the current context names no cluster with a server',
  );
});

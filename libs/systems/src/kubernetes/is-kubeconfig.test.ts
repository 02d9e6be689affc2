import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKubeconfig } from './is-kubeconfig';

const folder = mkdtempSync(join(tmpdir(), 'is-kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: string): string {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
}

test.each([
  ['as kubectl writes it', 'apiVersion: v1\nclusters: []\nkind: Config\n'],
  ['as JSON in lines', '{\n  "kind": "Config",\n  "clusters": []\n}\n'],
  ['as JSON in one line', '{"apiVersion":"v1","clusters":[],"kind":"Config"}'],
])('is one: %s', (_, content) => {
  expect(isKubeconfig(fileOf(content))).toBe(true);
});

test.each([
  ['a list', '{"apiVersion":"v1","kind":"List","items":[]}'],
  ['a list with an object of such a kind', '{"kind":"List","items":[{"kind":"Config"}]}'],
  ['nothing', ''],
])('is none: %s', (_, content) => {
  expect(isKubeconfig(fileOf(content))).toBe(false);
});

test('a folder is none', () => {
  expect(isKubeconfig(folder)).toBe(false);
});

test('fails on what does not exist, and says what is wanted', () => {
  expect(() => isKubeconfig(join(folder, 'none'))).toThrow(
    /none does not exist; --kubernetes takes a dump .* or a kubeconfig$/,
  );
});

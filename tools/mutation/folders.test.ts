import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { chosen } = createRequire(__filename)('./folders.cjs') as {
  chosen(root: string, args: readonly string[], folders?: readonly string[]): unknown;
};

const FOLDERS = ['libs/a/src/world', 'libs/a/src/rules', 'libs/b/src'];
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ovn-steward-mutation-'));
  for (const file of [
    'libs/a/src/world/pairing/decide.ts',
    'libs/a/src/world/pairing/decide.test.ts',
    'libs/a/src/world/testing/worlds.ts',
    'libs/a/src/world/world.contract.ts',
    'libs/a/src/rules/rule.ts',
    'libs/b/src/key.ts',
    'libs/c/src/other/thing.ts',
    'docs/notes.md',
  ]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const WORLD = { folder: 'libs/a/src/world', files: ['libs/a/src/world/pairing/decide.ts'] };

test('without arguments every listed folder is chosen, its tests and what only they run left out', () => {
  expect(chosen(root, [], FOLDERS)).toEqual([
    WORLD,
    { folder: 'libs/a/src/rules', files: ['libs/a/src/rules/rule.ts'] },
    { folder: 'libs/b/src', files: ['libs/b/src/key.ts'] },
  ]);
});

test.each(['libs/a/src/world/pairing/decide.ts', './libs/a/src/world/pairing/', WORLD.folder])(
  '%s belongs to the listed folder it lies in',
  (arg) => {
    expect(chosen(root, [arg, arg], FOLDERS)).toEqual([WORLD]);
  },
);

test('a folder or file outside the list is one of its own', () => {
  const other = { folder: 'libs/c/src/other', files: ['libs/c/src/other/thing.ts'] };
  expect(chosen(root, ['libs/c/src/other'], FOLDERS)).toEqual([other]);
  expect(chosen(root, ['libs/c/src/other/thing.ts'], FOLDERS)).toEqual([other]);
});

test('what matches no code is refused, each by its name, before anything is measured', () => {
  const wrong = ['libs/z', 'docs', 'libs/a/src/world/pairing/decide.test.ts'];
  expect(() => chosen(root, [WORLD.folder, ...wrong], FOLDERS)).toThrow(
    'libs/z, docs, libs/a/src/world/pairing/decide.test.ts: no folder or file with code',
  );
});

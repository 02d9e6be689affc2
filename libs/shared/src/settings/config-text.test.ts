import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from './config';
import { MOST_CONFIG_BYTES } from './config-text';

const schema = z.strictObject({ names: z.array(z.unknown()).default([]) });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-text-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = (file: string) => loadConfig({ schema, file, env: {}, flags: {} }).config;
const written = (text: string): string => {
  const file = join(folder, 'steward.yaml');
  writeFileSync(file, text);
  return file;
};

/** Nine lines that would be 9^8 = 43 million words. */
const LAUGHS = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, at) => {
    const inner = `*${'abcdefg'[at]}`;
    return `${name}: &${name} [${Array(9).fill(inner).join(', ')}]`;
  }),
  'names: *h',
].join('\n');

test('aliases that would be millions of words are refused, by the file', () => {
  const file = written(LAUGHS);
  expect(() => load(file)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: `The configuration file ${file} is not YAML: its aliases stand for more than 100 nodes: write them out.`,
    }),
  );
});

test('such aliases in the environment are a text that no list is', () => {
  const text = `[&a [x], &b [${Array(101).fill('*a').join(', ')}]]`;
  expect(() => loadConfig({ schema, env: { STEWARD_NAMES: text }, flags: {} })).toThrow(
    expect.objectContaining({ code: 'config-invalid' }),
  );
});

test('a text that begins with a star and is not quoted is named as that, with its line', () => {
  const file = written('names:\n  - &a x\n  - *a\n  - *.example.com\n');
  expect(() => load(file)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: `The configuration file ${file} is not YAML, line 4: a value that begins with * is an alias, and no anchor of that name stands before it: quote a text that begins with *.`,
    }),
  );
});

test.each([
  'names:\n  - &a [x, *a]\n',
  '&all\nnames: [ *all ]\n',
  'names:\n  - &a { b: { c: *a } }\n',
])('an alias inside what it stands for is refused, with its line: %j', (text) => {
  const file = written(text);
  expect(() => load(file)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: `The configuration file ${file} is not YAML, line 2: an alias stands inside what it stands for, which has no end: write the value out.`,
    }),
  );
});

test('an anchor of the same name further in is another', () =>
  expect(load(written('names: [&a [&a x, *a]]'))).toEqual({ names: [['x', 'x']] }));

test('a file in another encoding is refused, and not read with other letters', () => {
  const file = written('');
  writeFileSync(file, Buffer.from('names: [münster]', 'latin1'));
  expect(() => load(file)).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: expect.stringContaining('it is not valid UTF-8'),
    }),
  );
});

test('an alias for something written once is a convenience', () =>
  expect(load(written('names: [&a { b: 1 }, *a]'))).toEqual({ names: [{ b: 1 }, { b: 1 }] }));

test('a file is read no further than a file of settings is long', () => {
  const fits = `# ${'é'.repeat(MOST_CONFIG_BYTES / 2 - 8)}\nnames: [a]\n`;
  expect(Buffer.byteLength(fits)).toBeLessThanOrEqual(MOST_CONFIG_BYTES);
  expect(load(written(fits))).toEqual({ names: ['a'] });
  expect(() => load(written(`${fits}#${' '.repeat(20)}`))).toThrow(/longer than 1 MiB/);
});

test('neither is a device that never ends', () =>
  expect(() => load('/dev/zero')).toThrow(/\/dev\/zero is longer than 1 MiB/));

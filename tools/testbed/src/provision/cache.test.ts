import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, markComplete, newestComplete } from './cache';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cache-test-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const entry = (name: string, completeAt?: number): string => {
  const made = join(folder, name);
  mkdirSync(made);
  if (completeAt !== undefined) {
    markComplete(made);
    utimesSync(join(made, '.complete'), completeAt, completeAt);
  }
  return made;
};

test('the newest complete entry of a name is taken; an unfinished one does not count', () => {
  entry('thing-1', 1_000);
  const second = entry('thing-2', 2_000);
  entry('thing-3');
  entry('other-9', 9_000);
  expect(newestComplete(folder, 'thing-')).toBe(second);
});

test('a name that begins alike is another', () => {
  const thing = entry('thing-1', 1_000);
  entry('thing-watcher-9', 9_000);
  expect(newestComplete(folder, 'thing-', /^\d/)).toBe(thing);
  expect(newestComplete(folder, 'thing-')).not.toBe(thing);
});

test('there may be none, or no folder', () => {
  expect(newestComplete(folder, 'thing-')).toBeUndefined();
  expect(newestComplete(join(folder, 'absent'), 'thing-')).toBeUndefined();
});

test('the cache is where XDG says', () => {
  const before = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = '/somewhere';
  expect(cacheFolder('a', 'b')).toBe('/somewhere/ovn-steward/a/b');
  if (before === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = before;
});

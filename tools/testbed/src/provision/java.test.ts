import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markComplete, systemKey } from './cache';
import { javaAtHand } from './java';

const before = { ...process.env };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'java-test-'));
  process.env['PATH'] = join(folder, 'path');
  process.env['XDG_CACHE_HOME'] = join(folder, 'cache');
  delete process.env['JAVA_HOME'];
});

afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true });
});

const runtime = (home: string, version: string): string => {
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'java'), '', { mode: 0o755 });
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
  return join(home, 'bin', 'java');
};

test.each([
  ['17.0.15', true],
  ['21', true],
  ['11.0.2', false],
  ['1.8.0_402', false],
])('Java %s of JAVA_HOME is new enough: %s', (version, enough) => {
  const home = join(folder, 'home');
  const path = runtime(home, version);
  process.env['JAVA_HOME'] = home;
  expect(javaAtHand()).toEqual(enough ? { path, version, env: {} } : undefined);
});

test('one too old in JAVA_HOME does not hide a good one on the PATH', () => {
  process.env['JAVA_HOME'] = join(folder, 'old');
  runtime(join(folder, 'old'), '11.0.2');
  const path = runtime(join(folder, 'new'), '17.0.1');
  process.env['PATH'] = join(folder, 'new', 'bin');
  expect(javaAtHand()).toMatchObject({ path });
});

test('the unpacked package is taken where there is no other', () => {
  expect(javaAtHand()).toBeUndefined();
  const root = join(folder, 'cache', 'ovn-steward', systemKey(), 'openjdk-17-jre-headless-17.0.1');
  const path = runtime(join(root, 'usr/lib/jvm/java-17'), '17.0.1');
  expect(javaAtHand()).toBeUndefined();
  markComplete(root);
  expect(javaAtHand()).toMatchObject({
    path,
    version: '17.0.1',
    env: { LD_LIBRARY_PATH: expect.stringContaining(join(root, 'usr/lib')) },
  });
});

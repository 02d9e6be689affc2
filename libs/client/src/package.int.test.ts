import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = join(__dirname, '..');
const ROOT = join(PACKAGE, '../..');
const EXAMPLES = join(ROOT, 'contracts/examples');

let folder: string;
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Packs what would be published, and installs it where nothing else is. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-client-'));
  // As it was built: other tests run what lies there.
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  execFileSync('npm', pack, { cwd: PACKAGE });
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true}');
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  run(
    'npm',
    ...['install', '--offline', '--no-audit', '--no-fund', '--silent'],
    `./ovn-steward-client-${version}.tgz`,
  );
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has nothing in it but what is compiled, its types, its page and its package.json', () => {
  const files = run('find', 'node_modules/@ovn-steward/client', '-type', 'f').trim().split('\n');
  const others = files.filter((it) => !/\/dist\/[a-z-]+\.(js|d\.ts)$/.test(it));
  expect(others.map((it) => it.split('/').at(-1)).sort()).toEqual(['README.md', 'package.json']);
  expect(files.filter((it) => it.includes('.test.'))).toEqual([]);
});

test('runs in an empty folder, without kafkajs or a driver', () => {
  const finding = readFileSync(join(EXAMPLES, 'finding-event.v1.confirmed.json'), 'utf8');
  writeFileSync(
    join(folder, 'read.cjs'),
    `const { FindingsTable } = require('@ovn-steward/client');
     const value = ${JSON.stringify(finding)};
     const table = new FindingsTable();
     table.take(0, { key: JSON.parse(value).data.id, value });
     process.stdout.write(table.open().map((it) => it.state).join());`,
  );
  expect(run(process.execPath, 'read.cjs')).toBe('confirmed');
});

test('is imported by name from an ES module, as its page shows', () => {
  writeFileSync(
    join(folder, 'read.mjs'),
    `import { followFindings, isOpen, SqliteTable } from '@ovn-steward/client';
     process.stdout.write([followFindings, isOpen, SqliteTable].map((it) => typeof it).join());`,
  );
  expect(run(process.execPath, 'read.mjs')).toBe('function,function,function');
});

test('has types, in which words of later versions have a place', () => {
  writeFileSync(
    join(folder, 'read.ts'),
    `import { type Finding, isOpen } from '@ovn-steward/client';
     export const text = (it: Finding): string =>
       it.class === 'leak' && isOpen(it) ? it.summary : it.class === 'novelty' ? 'new' : it.rule;
     // @ts-expect-error a finding has no such field
     export const wrong = (it: Finding): string => it.colour;`,
  );
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom'];
  expect(run(process.execPath, compiler, ...options, '--skipLibCheck', 'read.ts')).toBe('');
}, 300_000);

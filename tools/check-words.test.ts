import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

/** Put together here, so that this file passes the check itself. */
const path = (...parts: string[]): string => `/${parts.join('/')}/src`;

interface Result {
  readonly code: number | null;
  readonly says: string;
}

/** The check, on the repository as it is now. */
function run(env: Readonly<Record<string, string>> = {}): Result {
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'tools/check-words.cjs')], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { code: status, says: stdout };
}

/** A repository that holds the check, and one more file. */
function check(file: string, text: string, env: Readonly<Record<string, string>> = {}): Result {
  for (const script of ['check-words.cjs', 'lib/root.cjs'])
    cpSync(join(__dirname, script), join(folder, 'tools', script));
  writeFileSync(join(folder, file), text);
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  return run(env);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovn-steward-words-'));
  mkdirSync(join(folder, 'tools'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the check of words', () => {
  it('holds nothing against plain text, public addresses and folders every machine has', () => {
    expect(
      check(
        'a.md',
        'See https://registry.npmjs.org/zod, /etc/origin/ovn, /var/run/ovn/ and ~/.kube/config.\n',
      ).code,
    ).toBe(0);
  });

  it.each([
    ['somebody’s home', `cd ${path('home', 'alice')}`],
    ['somebody’s home elsewhere', `open "${path('Users', 'alice')}"`],
    ['this machine’s home', `cd ${homedir()}/src`],
    ['this repository’s own place', () => `cd ${folder}/src`],
  ])('finds %s, and says where', (_, text) => {
    const { code, says } = check(
      'a.md',
      `first line\n${typeof text === 'string' ? text : text()}\n`,
    );
    expect(code).toBe(1);
    expect(says).toContain('a.md:2: ');
  });

  it('finds the proxy that packages come through', () => {
    const { code, says } = check('a.md', 'fetched from packages.corp.example\n', {
      GOPROXY: 'https://packages.corp.example/go,direct',
    });
    expect([code, says]).toEqual([1, expect.stringContaining('packages.corp.example')]);
  });

  it('finds a lockfile that says where packages came from', () => {
    expect(
      check(
        'package-lock.json',
        '{ "node_modules/a": { "resolved": "https://somewhere.example/a.tgz" } }',
      ).code,
    ).toBe(1);
    expect(
      check('package-lock.json', '{ "node_modules/a": { "resolved": "libs/a", "link": true } }')
        .code,
    ).toBe(0);
  });

  it('finds in a page a word that pages avoid, and leaves it to code and other files', () => {
    const text = 'The finding is told once.\n';
    expect(check('ARCHITECTURE.md', text).says).toContain('ARCHITECTURE.md:1: a word that pages');
    rmSync(join(folder, 'ARCHITECTURE.md'));
    expect(check('a.ts', text).code).toBe(0);
  });

  it('reads a file that Git does not know yet, and none that is ignored', () => {
    writeFileSync(join(folder, '.gitignore'), 'ignored.md\n');
    check('known.md', 'plain text\n');
    const text = `cd ${path('home', 'alice')}\n`;
    for (const file of ['new.md', 'ignored.md']) writeFileSync(join(folder, file), text);
    const { code, says } = run();
    expect([code, says]).toEqual([1, expect.stringContaining('new.md:1: ')]);
    expect(says).not.toContain('ignored.md');
  });

  it('finds what the caller forbids', () => {
    expect(check('a.md', 'a Frumious word\n', { FORBIDDEN_WORDS: 'frumious' }).code).toBe(1);
  });
});
